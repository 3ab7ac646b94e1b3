program right
  real, pointer :: p(:)
  allocate (p(3))
  p = 1
  print *, p
end program
