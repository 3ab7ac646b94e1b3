program right
  real, pointer :: p(:), q(:)
  integer :: status
  allocate (p(3))
  p = 1
  q => p
  nullify (p)
  print *, q
  deallocate (q)
  allocate (q(5), stat=status)
  if (status == 0) deallocate (q, stat=status)
  print *, status
end program
