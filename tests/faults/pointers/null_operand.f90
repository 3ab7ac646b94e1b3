! told at 6:16: Pointer 'p' is not associated
program fault
  integer, pointer :: p => null()
  integer :: n
  n = 2
  print *, n * p
end program
