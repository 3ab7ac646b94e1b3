! told at 13:13: Variable 'state' is used before it has a value
! flags: -fcheck=undefined
module counter
  implicit none
  private
  integer :: state
  public :: next, start
contains
  subroutine start
    state = 0
  end subroutine
  integer function next()
    state = state + 1
    next = state
  end function
end module
program fault
  use counter
  print *, next()
  call start
end program
