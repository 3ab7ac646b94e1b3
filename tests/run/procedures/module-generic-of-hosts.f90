! A generic name of an internal procedure's USE extends that of its host; so do operators.
module first
  implicit none
  interface what
    module procedure what_real, what_int
  end interface
contains
  integer function what_real(x)
    real, intent(in) :: x
    what_real = 1
    if (x > 100) what_real = -1
  end function
  integer function what_int(i)
    integer, intent(in) :: i
    what_int = 2
    if (i > 100) what_int = -2
  end function
end module
module second
  implicit none
  interface what
    module procedure what_logical, other_real
  end interface
contains
  integer function what_logical(l)
    logical, intent(in) :: l
    what_logical = merge(3, 4, l)
  end function
  integer function other_real(x)
    real, intent(in) :: x
    other_real = 5
    if (x > 100) other_real = -5
  end function
end module
program module_generic_of_hosts
  use first
  implicit none
  print *, what(1.0), what(1)
  call inner
contains
  subroutine inner
    use second
    print *, what(1.0), what(1), what(.true.), what(200), what(200.0)
  end subroutine
end program
