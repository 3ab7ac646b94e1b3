! --passes=strides at l, discharged
subroutine k1()
  implicit none
  integer :: n1, n2, n3, n4, i, j, k, inca, incb
  double precision :: a(40), b(40)
  common /opaque/ n1, n2, n3, n4
  call fill_r8(a, 40, 3)
  call fill_r8(b, 40, 5)
  inca = n4
  incb = n2
  j = 1
  k = 1
  do i = 1, 9
    b(k) = a(j)
    j = j + inca
    k = k + incb
  end do
  call show_r8(1, b, 40)
end subroutine
