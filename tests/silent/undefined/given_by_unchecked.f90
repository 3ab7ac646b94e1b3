! The other file, which is compiled without checks, gives the variables their values.
program right
  integer :: a, b(3)
  common /shared/ a, b
  external :: elsewhere
  call elsewhere
  print *, a, b(2)
end program
