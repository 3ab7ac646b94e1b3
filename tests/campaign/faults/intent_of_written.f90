! --passes=intent at l
subroutine put(n)
  implicit none
  integer :: n
  n = n + 2
end subroutine
subroutine k1()
  implicit none
  integer :: n1, k
  common /opaque/ n1
  k = n1
  call put(k)
  call put_i4(1, k)
end subroutine
