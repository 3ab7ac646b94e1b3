! A name of a procedure calls another procedure, which does not come back to it.
program right
  call one(1)
  call two(2)
  call one(3)
end program
subroutine one(n)
  integer :: n
  call show(n)
  return
  entry two(n)
  call show(-n)
end subroutine
subroutine show(n)
  integer :: n
  print *, n
end subroutine
