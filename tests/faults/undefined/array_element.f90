! told at 8:19: 'a'
! flags: -fcheck=undefined
program fault
  real :: a(4)
  integer :: n
  n = 3
  a(1:2) = 1
  print *, a(1) + a(n)
end program
