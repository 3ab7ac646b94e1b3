! Array constructors of types that there are not.
program main
  integer, allocatable :: a(:)
  integer :: k
  a = [nothing ::]
  a = [nothing :: 1]
  a = [integer(7) :: 1, 2]
  print *, [integer(k) ::]
  print *, size([nothing :: 1, 2])
end program
