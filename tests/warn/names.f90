! Names that nobody uses, variables that nobody sets.
module tools
  implicit none
  integer, parameter :: unused_here = 1
  integer :: shared
  private :: hidden_one, hidden_two
contains
  subroutine hidden_one()
    shared = 1
  end subroutine
  subroutine hidden_two()
    call hidden_two_helper()
  contains
    subroutine hidden_two_helper()
    end subroutine
    subroutine never()
    end subroutine
  end subroutine
  integer function sum(i)
    integer, intent(in) :: i
    sum = i
  end function
  subroutine dummies(a, b, c, d)
    integer, intent(in) :: a
    integer, intent(out) :: b
    integer :: c, d
    c = a
  end subroutine
end module
program names
  use tools, only: shared, dummies
  implicit none
  integer, parameter :: n = 3, m = 4
  integer :: used, unused, only_set, never_set, host
  real :: grid(n), other(2)
  character(5) :: text
  used = 1
  only_set = 2
  print *, used, never_set, grid(1)
  read *, text
  host = 1
  call inner(used)
  data other / 1., 2. /
  print *, other
contains
  subroutine inner(k)
    integer, intent(inout) :: k
    integer :: host
    host = k
    k = host
  end subroutine
end program
