! told at 6:7: Integer overflow
! flags: -fcheck=overflow
program fault
  integer :: a(3)
  a = huge(1)
  a = a + 1
  print *, a
end program
