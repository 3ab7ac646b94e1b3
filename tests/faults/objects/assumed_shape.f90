! told at 4:8: A call of 's' needs its explicit interface: the dummy argument has an assumed shape
program fault
  real :: a(3) = 1
  call s(a)
end program
