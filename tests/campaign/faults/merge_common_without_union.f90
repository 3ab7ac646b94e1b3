! --passes=cse at h, discharged
subroutine k1()
  implicit none
  integer :: n1, n2, n3, n4, n5, a2(-3:4, 8, 8), i2
  common /opaque/ n1, n2, n3, n4, n5
  i2 = abs(n5)
  a2(1, 1, n5 + 5) = 1
end subroutine
