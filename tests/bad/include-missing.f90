! INCLUDE of a file that does not exist, and INCLUDE without a name.
program include_missing
  implicit none
  include 'include/nosuchfile.inc'
  include 'include'
  print *, 1
end program
