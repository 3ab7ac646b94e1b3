! A saved variable keeps what another name has set.
program right
  call put(5)
  call get
end program
subroutine put(n)
  integer :: n
  integer, save :: k
  k = n
  return
  entry get
  print *, k
end subroutine
