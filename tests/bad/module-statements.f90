! Executable statements in a module or in BLOCK DATA.
module m
  implicit none
  integer :: n
  n = 1
end module m
block data
  common /c/ i
  i = 3
end block data
program module_statements
  implicit none
end program
