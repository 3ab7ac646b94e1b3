! USE with ONLY, and a module that uses another one.
module base
  implicit none
  integer :: n = 3
  integer :: hidden = 99
  integer :: other = 7
contains
  integer function reveal()
    reveal = hidden
    hidden = hidden - 1
  end function reveal
end module base
module middle
  use base, only: n, reveal
  implicit none
  integer :: mine = 1000
contains
  integer function step()
    step = reveal() + n
  end function step
end module middle
program module_only
  use middle, only: step, mine, n
  use base, only: other
  implicit none
  integer :: hidden
  hidden = -1
  n = 10
  print *, step(), step(), n
  print *, mine, other, hidden
end program
