! told at 12:3: Dangling pointer 'first%next': its target was deallocated at dangling_component.f90:11
program fault
  type node
    integer :: v = 3
    type(node), pointer :: next => null()
  end type
  type(node), pointer :: first, p
  allocate (first)
  allocate (first%next)
  p => first%next
  deallocate (p)
  first%next%v = 4
end program
