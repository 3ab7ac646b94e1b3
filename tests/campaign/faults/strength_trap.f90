! --passes=strength at l
subroutine k1()
  implicit none
  integer :: n1, n2, n3, z, i
  double precision :: a(40)
  common /opaque/ n1, n2, n3
  do i = 1, 8
    a(i) = 1.0d0
  end do
  z = n3 - n3 / 2 * 2 - mod(n3, 2)
  do i = 1, 8
    if (a(i) < z) a(i + 4 / z) = 2.0d0
  end do
end subroutine
