! told at 5:13: 'p'
! flags: -fcheck=leaks
program fault
  real, pointer :: p(:)
  allocate (p(3))
  p = 1
  print *, p
end program
