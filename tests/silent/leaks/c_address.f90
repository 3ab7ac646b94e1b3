! Memory of which only an address for C is kept.
program right
  use iso_c_binding
  type(c_ptr) :: where
  integer, pointer :: p(:)
  allocate (p(3))
  p = 2
  where = c_loc(p(1))
  print *, sum(p), c_associated(where)
  nullify (p)
end program
