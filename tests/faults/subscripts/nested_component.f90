! told at 9:7: Index '3' of dimension 1 of array 'p%q' above upper bound of 2
program fault
  type :: inner
    integer :: q(2) = 0
  end type
  type(inner) :: p
  integer :: n
  n = 3
  p%q(n) = 1
  print *, p%q
end program
