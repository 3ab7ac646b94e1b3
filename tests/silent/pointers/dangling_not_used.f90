program right
  integer, pointer :: p(:), q(:), r(:)
  allocate (p(3))
  q => p
  r => q
  deallocate (p)
  nullify (q)
  allocate (r(2))
  r = 1
  print *, r, associated(q)
  deallocate (r)
end program
