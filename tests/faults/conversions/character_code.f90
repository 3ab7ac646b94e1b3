! told at 6:24: The argument 'i' of 'achar' is 300, but must be from 0 to 255
! flags: -fcheck=overflow
program fault
  integer :: n
  n = 300
  print *, ichar(achar(n))
end program
