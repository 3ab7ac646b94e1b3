! A constant constructor of implied DO has the kind of its index.
program indices
  implicit none
  integer(8) :: i
  integer(1) :: j
  integer(8), parameter :: p(3) = [(i, i = 1, 3)]
  print *, kind([(i, i = 1, 3)]), kind([(j, j = 1, 3)]), kind([(i * 2, i = 1, 2)])
  print *, p, [(p(i), i = 1, 3)]
  print *, kind([((j, i = 1, 2), j = 1, 2)]), storage_size([(i, i = 1, 9)])
end program
