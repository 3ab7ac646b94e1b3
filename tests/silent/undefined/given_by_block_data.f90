! The other file has the BLOCK DATA.
program right
  integer :: a, b(3)
  common /shared/ a, b
  external :: given
  print *, a, b(2)
end program
