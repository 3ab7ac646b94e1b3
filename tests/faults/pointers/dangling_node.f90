! told at 13:12: Dangling pointer 'p': its target was deallocated at dangling_node.f90:11
program fault
  type node
    integer :: v = 3
    type(node), pointer :: next => null()
  end type
  type(node), pointer :: first, p
  allocate (first)
  allocate (first%next)
  p => first%next
  deallocate (first%next)
  print *, first%v
  print *, p%v
end program
