! told at 8:12: Dangling pointer 'b': its target was deallocated at dangling_character.f90:7
program fault
  character(len=:), pointer :: a, b
  allocate (character(len=6) :: a)
  a = 'string'
  b => a
  deallocate (a)
  print *, b
end program
