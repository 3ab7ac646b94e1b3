! told at 8:12: Pointer 'l%next' is not associated
program fault
  type l_
    integer :: v = 1
    type(l_), pointer :: next => null()
  end type
  type(l_), target :: l
  print *, l%next%v
end program
