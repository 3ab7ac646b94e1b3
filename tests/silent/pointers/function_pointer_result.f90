! A function gives a pointer to what it has allocated, or to nothing.
program right
  integer, pointer :: p
  p => make(4)
  if (associated(p)) print *, p
  deallocate (p)
  p => make(-1)
  print *, associated(p)
contains
  function make(n) result(q)
    integer, intent(in) :: n
    integer, pointer :: q
    nullify (q)
    if (n > 0) allocate (q)
    if (n > 0) q = n
  end function
end program
