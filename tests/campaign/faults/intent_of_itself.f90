! --passes=intent at l
subroutine k1()
  implicit none
  integer :: n1, i, j
  common /opaque/ n1
  i = n1
  j = n1 + 1
  call swap(i, j, n1 - 5)
  call put_i4(1, i)
  call put_i4(2, j)
end subroutine
recursive subroutine swap(n, m, depth)
  implicit none
  integer :: n, m, depth
  if (depth > 0) then
    call swap(m, n, depth - 1)
  else
    m = m + 5
  end if
end subroutine
