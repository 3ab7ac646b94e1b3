! A structure that is too large for the stack of a call.
subroutine by_value(s) bind(c)
  use iso_c_binding, only: c_int
  type, bind(c) :: large
    integer(c_int) :: n(2000)
  end type
  type(large), value :: s
  print *, s%n(1)
end subroutine
end
