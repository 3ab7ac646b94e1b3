! --passes=vectorize at h
subroutine k1()
  implicit none
  integer :: i
  integer :: a(40), b(40)
  call fill_i4(a, 40, 9)
  call fill_i4(b, 40, 5)
  do i = 1, 32
    if (b(i) > a(i)) then
      a(i) = b(i) + 3
    else
      a(i) = a(i) - 2
    end if
  end do
  call show_i4(1, a, 40)
end subroutine
