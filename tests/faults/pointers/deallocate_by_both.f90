! told at 7:15: Dangling pointer 'q': its target was deallocated at deallocate_by_both.f90:6
program fault
  integer, pointer :: p(:), q(:)
  allocate (p(3))
  q => p
  deallocate (p)
  deallocate (q)
end program
