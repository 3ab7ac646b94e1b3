! ISO_C_BINDING: kinds, characters, procedures with BIND(C), VALUE.
module m
  use iso_c_binding
  implicit none
  interface
    function c_abs(n) bind(c, name='abs')
      import :: c_int
      integer(c_int), value :: n
      integer(c_int) :: c_abs
    end function
    function strlen(s) bind(c)
      import
      character(kind=c_char), intent(in) :: s(*)
      integer(c_size_t) :: strlen
    end function
    pure function csqrt8(x) bind(c, name='sqrt') result(y)
      import c_double
      real(c_double), intent(in), value :: x
      real(c_double) :: y
    end function
  end interface
contains
  function twice(x) bind(c, name='my_twice') result(y)
    real(c_double), value :: x
    real(c_double) :: y
    x = x*2
    y = x
  end function
  subroutine fill(a, n) bind(c)
    integer(c_int), value :: n
    integer(c_int), intent(out) :: a(n)
    integer :: i
    a = [(i*i, i=1,n)]
  end subroutine
end module
program p
  use m
  implicit none
  integer(c_int) :: v(4)
  real(c_double) :: x
  character(kind=c_char, len=6) :: s
  print *, c_abs(-5_c_int)
  s = 'hello'//c_null_char
  print *, strlen(s)
  print '(f8.5)', csqrt8(2.0_c_double)
  x = 1.5d0
  print *, twice(x), x
  call fill(v, 4)
  print *, v
  print *, c_int, c_long, c_long_long, c_float, c_double, c_char, c_bool, c_size_t, c_short, c_signed_char, c_int64_t
  print *, iachar(c_new_line), iachar(c_null_char)
end program
