! Constants whose value does not fit their type.
program parameter_type
  implicit none
  integer, parameter :: a = 'x'
  integer, parameter :: c(2) = (/ 1, 2, 3 /)
  character(len=2), parameter :: d = 5
  integer, parameter :: e = f
  integer, parameter :: g(3) = 1
end program
