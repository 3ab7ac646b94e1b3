! told at 6:12: Pointer 'p' is not associated
program fault
  real, pointer :: p(:) => null()
  integer :: n
  n = 2
  print *, p(1:n)
end program
