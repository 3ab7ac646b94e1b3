! --passes=scalarize,licm at l, discharged
subroutine k1()
  implicit none
  real, target :: a1(4), a2(4)
  real, pointer :: p(:)
  integer :: k, f
  call fill_r4(a1, 4, 1)
  call fill_r4(a2, 4, 2)
  p => a1
  do k = 1, 3
    do f = 1, 4
      p(f) = real(f + 10*k)
    end do
    p => a2(4:1:-1)
    call put_i4(3, k)
  end do
  call show_r4(1, a1, 4)
  call show_r4(2, a2, 4)
end subroutine
