! --passes=dce,distribute at l, discharged
subroutine k4037136()
  implicit none
  integer :: n1, n2, n3, k, l, m
  real :: a1(0:12), a3(0:12), a4(0:11)
  common /opaque/ n1, n2, n3
  do k = 1, 3
  end do
  do k = 1, 4
    a4(2:1) = 1.0
    do l = 1, 7
      a1(1) = a1(1)
      do m = k, n3
      end do
    end do
  end do
  a3(1) = a3(1) + a4(1)
end subroutine
