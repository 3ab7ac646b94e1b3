! --passes=dce,distribute at l, discharged
subroutine k1()
  implicit none
  integer :: i, j, n1
  real :: f
  double precision :: a(14), b(14), x
  common /opaque/ n1
  f = 2.0
  a = 1.0d0
  do i = 1, n1
    x = 1.0d0
    f = f - 1.0
    do j = 1, 8
      b(1) = a(j)
      f = f + 0.5
    end do
  end do
  a(1) = x
  if (f >= 1.0) then
  end if
  call show_r8(1, a, 14)
  call show_r8(1, b, 14)
end subroutine
