! Names declared twice.
program duplicate_declaration
  implicit none
  integer :: i, j, i
  real :: j
  integer, dimension(3) :: a
  dimension a(4)
  integer, parameter :: n = 1
  parameter (n = 2)
end program
