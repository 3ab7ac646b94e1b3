! IMPLICIT with a derived type.
module m
  type t
    integer :: a = 5
    real :: b(2) = 0
  end type
end module
program p
  use m
  implicit type(t) (q-r), character(4) (c), real(8) (d)
  q1%a = 3
  r = q1
  r%b = 2
  c = 'abcdefg'
  d = 1
  print *, r, c, kind(d)
  call s(q1)
contains
  subroutine s(rr)
    print *, rr%a
  end subroutine
end program
