! told at 6:16: 'a'
! flags: -fcheck=undefined
program fault
  real :: a(4)
  a(1:3) = 1
  print *, sum(a)
end program
