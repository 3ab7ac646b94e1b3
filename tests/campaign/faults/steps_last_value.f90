! --passes=steps at h
subroutine k1()
  implicit none
  integer :: n1, n2, n3, n4, n5, n6, i, last, inc
  double precision :: a(40)
  common /opaque/ n1, n2, n3, n4, n5, n6
  do i = 1, 40
    a(i) = 0.0d0
  end do
  inc = n2
  last = 4*n6
  do i = 3, last, inc
    a(i) = a(i) + 1.0d0
  end do
  call put_i4(1, i)
  call show_r8(2, a, 40)
end subroutine
