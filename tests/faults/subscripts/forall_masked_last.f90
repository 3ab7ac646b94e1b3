! told at 6:45, where i = 20: Index '21' of dimension 1 of array 'a' above upper bound of 20
program fault
  integer, parameter :: n = 20
  real(8) :: a(n) = 1
  integer :: i
  forall (i = 1:n, mod(i, 2) == 0) a(i) = a(i + 1) * 2
  print *, a
end program
