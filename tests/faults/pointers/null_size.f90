! told at 4:17: Pointer 'p' is not associated
program fault
  real, pointer :: p(:) => null()
  print *, size(p)
end program
