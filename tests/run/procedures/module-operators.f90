! Defined operators and assignment on intrinsic types, and operators of a user's name.
module m
  implicit none
  interface operator(.cross.)
    module procedure cross
  end interface
  interface operator(.norm.)
    module procedure vnorm
  end interface
  interface operator(+)
    module procedure join
  end interface
  interface operator(*)
    module procedure times
  end interface
  interface operator(==)
    module procedure int_is_text
  end interface
  interface assignment(=)
    module procedure text_to_int
    module procedure logical_to_text
  end interface
contains
  function cross(a, b) result(c)
    real, intent(in) :: a(3), b(3)
    real :: c(3)
    c(1) = a(2)*b(3) - a(3)*b(2)
    c(2) = a(3)*b(1) - a(1)*b(3)
    c(3) = a(1)*b(2) - a(2)*b(1)
  end function
  function vnorm(a) result(c)
    real, intent(in) :: a(:)
    real :: c
    c = sqrt(sum(a**2))
  end function
  function join(a, b) result(c)
    character(len=*), intent(in) :: a, b
    character(len=len(a)+len(b)) :: c
    c = a//b
  end function
  function times(n, a) result(c)
    integer, intent(in) :: n
    character(len=*), intent(in) :: a
    character(len=n*len(a)) :: c
    c = repeat(a, n)
  end function
  logical function int_is_text(i, s)
    integer, intent(in) :: i
    character(len=*), intent(in) :: s
    character(len=12) :: t
    write (t, '(i0)') i
    int_is_text = t == s
  end function
  subroutine text_to_int(i, s)
    integer, intent(out) :: i
    character(len=*), intent(in) :: s
    read (s, *) i
  end subroutine
  subroutine logical_to_text(s, l)
    character(len=*), intent(out) :: s
    logical, intent(in) :: l
    s = merge('yes', 'no ', l)
  end subroutine
end module
program p
  use m
  implicit none
  real :: u(3), v(3)
  integer :: i
  character(len=5) :: s
  u = [1., 0., 0.]; v = [0., 1., 0.]
  print *, u .cross. v
  print *, .norm. [3., 4.]
  print *, 'ab' + 'cd' + 'e', 3*'xy'
  i = '42'
  print *, i, i == '42', i == '43', i == 42
  s = .true.
  print *, s
  print *, (u + v) .cross. v
end program
