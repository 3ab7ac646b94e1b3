! Structures that cannot be transferred, equivalenced or initialised by DATA, and results of C functions.
module m
  implicit none
  type hidden
    private
    integer :: i
  end type
contains
  subroutine shows(h)
    type(hidden) :: h
    print *, h
  end subroutine
end module
program structure_uses
  use m
  implicit none
  type with_default
    sequence
    integer :: g = 0
  end type
  type plain
    integer :: k
  end type
  type with_procedure
    procedure(), pointer, nopass :: p
    integer :: i
  end type
  interface
    function c_result() bind(c)
      real :: c_result(3)
    end function
  end interface
  integer, parameter :: label = 1
  type(hidden) :: h
  type(with_default) :: d
  type(with_procedure) :: w
  type(plain) :: p
  integer :: y
  equivalence (p, y)
  data d /with_default(2)/
  print *, h
  print *, w
  assign 10 to label
10 continue
end program
