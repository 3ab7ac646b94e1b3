! told at 7:17: Dangling pointer 'q': its target was deallocated at dangling_inquired.f90:6
program fault
  real, pointer :: p(:), q(:)
  allocate (p(3))
  q => p
  deallocate (p)
  print *, size(q)
end program
