! Two files that include each other.
program include_cycle
  implicit none
  include 'include/cycle-a.inc'
  print *, 1
end program
