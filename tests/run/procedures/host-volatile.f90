! VOLATILE and ASYNCHRONOUS of variables of the host and of a module.
module one
  implicit none
  logical :: l
contains
  subroutine t
    volatile :: l
    asynchronous :: l
    l = .true.
    if (l) print *, 'yes'
  end subroutine
end module
use one
implicit none
volatile :: l
call t
print *, l
end
