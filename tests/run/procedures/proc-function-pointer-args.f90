! Procedures as arguments: externals, internals, intrinsics, dummy procedures passed on, procedure pointers in structures.
module tools
  implicit none
  abstract interface
    real function func(x)
      real, intent(in) :: x
    end function
  end interface
  type method
    character(8) :: name
    procedure(func), pointer, nopass :: f => null()
  end type
contains
  real function integral(f, a, b, n)
    procedure(func) :: f
    real, intent(in) :: a, b
    integer, intent(in) :: n
    integer :: i
    real :: h
    h = (b - a)/n
    integral = 0
    do i = 1, n
      integral = integral + f(a + (i - 0.5)*h)*h
    end do
  end function
  real function twice(f, a, b)
    procedure(func) :: f
    real, intent(in) :: a, b
    twice = 2*integral(f, a, b, 4)
  end function
  real function square(x)
    real, intent(in) :: x
    square = x*x
  end function
end module
program proc_function_pointer_args
  use tools
  implicit none
  type(method) :: m(2)
  real :: c
  integer :: i
  c = 3
  m(1) = method('square', square)
  m(2)%name = 'line'
  m(2)%f => line
  do i = 1, 2
    print '(a,2f9.4)', m(i)%name, integral(m(i)%f, 0.0, 2.0, 8), twice(m(i)%f, 0.0, 1.0)
  end do
  c = 5
  print '(f9.4)', m(2)%f(2.0), twice(line, 0.0, 1.0)
  print *, associated(m(1)%f, square), associated(m(2)%f, m(1)%f)
contains
  real function line(x)
    real, intent(in) :: x
    line = c*x + 1
  end function
end program
