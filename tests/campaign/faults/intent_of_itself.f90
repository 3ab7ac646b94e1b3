! --passes=intent at l
recursive subroutine put(n, m, k)
  implicit none
  integer :: n, m, k
  if (k > 0) then
    call put(m, n, k - 1)
  else
    m = m + 5
  end if
end subroutine
subroutine k1()
  implicit none
  integer :: n1, i, j
  common /opaque/ n1
  i = n1
  j = n1 + 1
  call put(i, j, n1 - 5)
  print *, i, j
end subroutine
