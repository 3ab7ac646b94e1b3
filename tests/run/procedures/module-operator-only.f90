! USE with ONLY and renaming of operators and assignment; PRIVATE operators.
module a
  implicit none
  private
  public :: operator(.plus.), assignment(=), operator(//)
  interface operator(.plus.)
    module procedure plus
  end interface
  interface operator(//)
    module procedure cat
  end interface
  interface assignment(=)
    module procedure set
  end interface
contains
  integer function plus(i, j)
    integer, intent(in) :: i, j
    plus = i + j
  end function
  integer function cat(i, j)
    integer, intent(in) :: i, j
    cat = i*10 + j
  end function
  subroutine set(l, i)
    logical, intent(out) :: l
    integer, intent(in) :: i
    l = i /= 0
  end subroutine
end module
module b
  use a, only: operator(.add.) => operator(.plus.), assignment(=)
  implicit none
  interface operator(.add.)
    module procedure addr
  end interface
contains
  real function addr(x, y)
    real, intent(in) :: x, y
    addr = x + y
  end function
end module
program p
  use b
  use a, only: operator(//)
  implicit none
  logical :: l
  print *, 1 .add. 2, 1.5 .add. 2.5
  l = 3
  print *, l
  print *, 1//2//3, 'a'//'b'
end program
