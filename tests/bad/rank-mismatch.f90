! Arrays of different ranks in one expression or assignment.
program rank_mismatch
  implicit none
  integer :: a(3), b(3, 3), i
  a = b
  i = a
  b = b + a
  a = b(1, :) + b
  b(1, :) = b(:, 1:2)
  a(1:2) = b(1:2, 1:2)
  where (b > 0) a = 1
end program
