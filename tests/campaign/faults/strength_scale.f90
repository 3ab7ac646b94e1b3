! --passes=strength at l
subroutine k1()
  implicit none
  integer :: ix(8), i
  real(8) :: a(8)
  call fill_i4(ix, 8, 4)
  call fill_r8(a, 8, 5)
  do i = 1, 8
    a(i) = a(i) + ix(i)
  end do
  call show_r8(14, a, 8)
end subroutine
