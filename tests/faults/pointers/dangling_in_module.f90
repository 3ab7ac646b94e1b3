! told at 10:17: Dangling pointer 'shared': its target was deallocated at dangling_in_module.f90:20
module m
  integer, pointer :: shared(:) => null()
contains
  subroutine give(x)
    integer, pointer :: x(:)
    shared => x
  end subroutine
  integer function total()
    total = sum(shared)
  end function
end module
program fault
  use m
  integer, pointer :: mine(:)
  allocate (mine(4))
  mine = 1
  call give(mine)
  print *, total()
  deallocate (mine)
  print *, total()
end program
