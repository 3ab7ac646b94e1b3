! Targets of FORALL whose subscripts and substrings read the variable that is assigned: with the values from before.
module names
  type t
    character(3) :: name
    integer :: k
  end type
contains
  pure integer function id(i)
    integer, intent(in) :: i
    id = i
  end function
end module
program own
  use names
  type(t) :: x(4)
  character(4) :: s(4), w
  character(2) :: v(4)
  integer :: i, p(4)
  x%name = (/ 'bxx', 'cxx', 'dxx', 'axx' /)
  x%k = 0
  forall (i = 1:4) x(ichar(x(i)%name(1:1)) - 96)%name = char(64 + i) // 'yz'
  print *, x%name
  x%name = (/ 'bxx', 'cxx', 'dxx', 'axx' /)
  forall (i = 1:4) x(ichar(x(i)%name(1:1)) - 96)%name(1:2) = char(64 + i) // 'q'
  print *, x%name
  s = (/ '1234', '2341', '3412', '4123' /)
  forall (i = 1:4) s(i)(ichar(s(i)(1:1)) - 48:) = char(64 + i) // 'vwx'
  print *, s
  w = '3142'
  forall (i = 1:4) w(ichar(w(i:i)) - 48:ichar(w(i:i)) - 48) = char(96 + i)
  print *, w
  v = (/ 'bb', 'cc', 'dd', 'aa' /)
  forall (i = 1:4) v(ichar(v(i)(1:1)) - 96)(1:1) = char(96 + i)
  print *, v
  v = (/ 'bb', 'cc', 'dd', 'aa' /)
  forall (i = 1:4, i /= 2) v(ichar(v(i)(1:1)) - 96) = char(96 + i) // 'z'
  print *, v
  p = (/ 2, 3, 4, 1 /)
  forall (i = 1:4, p(i) /= 9) p(p(i)) = id(i)
  print *, p
  x%k = (/ 2, 3, 4, 1 /)
  forall (i = 1:4) x(x(i)%k)%k = id(i)
  print *, x%k
end program
