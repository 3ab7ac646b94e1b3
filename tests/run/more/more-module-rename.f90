! USE with ONLY and renaming, PRIVATE and PUBLIC, a module using a module.
module base
  implicit none
  integer :: n = 3
  integer, private :: hidden = 99
  integer :: other = 7
contains
  integer function reveal()
    reveal = hidden
    hidden = hidden - 1
  end function reveal
end module base
module middle
  use base, only: n, count_down => reveal
  implicit none
  private
  public :: n, step, hidden
  integer :: hidden = 1000
contains
  integer function step()
    step = count_down() + n
  end function step
end module middle
program more_module_rename
  use middle, depth => n
  use base, only: other
  implicit none
  integer :: n
  n = 5
  depth = 10
  print *, step(), step(), n, depth, other, hidden
end program
