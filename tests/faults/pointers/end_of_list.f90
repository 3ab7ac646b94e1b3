! told at 9:12: Pointer 'p%next' is not associated
program fault
  type node
    integer :: value = 1
    type(node), pointer :: next => null()
  end type
  type(node), pointer :: p
  allocate (p)
  print *, p%next%value
end program
