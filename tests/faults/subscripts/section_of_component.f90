! told at 10:7: Index '5' of dimension 1 of array 'p' above upper bound of 4
program fault
  type point
    real :: x(3)
  end type
  type(point) :: p(4)
  integer :: n
  p%x(1) = 0.0
  n = 5
  p(2:n:3)%x(2) = 1.0
  print *, p(2)%x(2)
end program
