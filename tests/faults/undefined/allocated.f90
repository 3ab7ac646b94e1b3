! told at 6:16: 'a'
! flags: -fcheck=undefined
program fault
  real, allocatable :: a(:)
  allocate (a(4))
  print *, sum(a)
end program
