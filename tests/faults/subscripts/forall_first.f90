! told at 6:55, where j = 2, i = 1: Index '0' of dimension 1 of array 'b' below lower bound of 1
program fault
  integer, parameter :: n = 20
  real(8) :: a(n, n) = 0, b(n, n) = 1
  integer :: i, j
  forall (i = 1:n-1, j = 2:n-1) a(i, j) = b(i, j) + b(i - 1, j)
  print *, a
end program
