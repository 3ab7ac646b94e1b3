! told at 5:34: Memory of pointer 'c' is never deallocated: 12 bytes in 1 allocation
! flags: -fcheck=leaks
program fault
  character(len=:), pointer :: c
  allocate (character(len=12) :: c)
  c = 'lost'
  print *, c
  nullify (c)
end program
