! told at 6:19: The argument 'dim' is 3, but must be from 1 to 2
! flags: -fcheck=none
program fault
  integer :: a(2, 2) = 1, d
  d = 3
  print *, sum(a, d)
end program
