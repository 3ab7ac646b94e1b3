! told at 7:7: Index '4' of dimension 1 of array 'x' above upper bound of 3
program fault
  real :: a(6) = 0
  integer :: n
  n = 4
  associate (x => a(1:6:2))
    x(n) = 1
  end associate
  print *, a
end program
