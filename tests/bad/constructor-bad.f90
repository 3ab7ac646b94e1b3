! Array constructors of mixed types, implied DO with bad variables.
program constructor_bad
  implicit none
  integer :: a(3), i
  real :: x
  a = (/ 1, 'b', 3 /)
  a = (/ 1, 2, .true. /)
  a = (/ (i, x = 1, 3) /)
  a = (/ (i, i = 1) /)
  a = (/ /)
end program
