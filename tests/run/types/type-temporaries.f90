! Structures and characters of one size in temporaries.
program p
  type t
    character(8) :: c
  end type
  type(t) :: x
  character(4) :: a = 'abcd', b = 'efgh'
  character(8) :: s
  character(8) :: v(2)
  integer :: i
  x = t(a // b)
  do i = 1, 2
    x = f(a)
    s = a // b
    v(i) = b // a
    print *, x%c, s, len(a//b), v(i)
    s = merge(a//b, b//a, i == 1)
    print *, s
  end do
contains
  type(t) function f(a)
    character(*) :: a
    f%c = a // a
  end function
end
