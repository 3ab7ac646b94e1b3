! told at 11:3: Dangling pointer 'x%p': its target was deallocated
program fault
  type box
    integer, pointer :: p
  end type
  type(box) :: x, y
  allocate (x%p)
  x%p = 3
  y = x
  deallocate (y%p)
  x%p = 4
  print *, 'no'
end program
