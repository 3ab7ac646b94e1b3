! told at 6:13: 'p'
! flags: -fcheck=leaks
program fault
  real, pointer :: p(:)
  real, target :: a(2) = 1
  allocate (p(3))
  p = 1
  p => a
  print *, p
end program
