! Structures and characters by value, in registers as C passes them
module types
  use iso_c_binding
  implicit none
  type, bind(c) :: pair
    integer(c_int) :: n, k
  end type
  type, bind(c) :: mixed
    integer(c_int) :: n
    real(c_double) :: z
  end type
  type, bind(c) :: point
    real(c_double) :: x, y
  end type
  type, bind(c) :: small
    real(c_float) :: a, b, c
  end type
  type, bind(c) :: big
    real(c_double) :: v(5)
  end type
  type :: plain
    integer :: i(6)
  end type
contains
  integer(c_int) function total(p) bind(c)
    type(pair), value :: p
    total = p%n + p%k
    p%n = -1
  end function
  real(c_double) function both(p, m) bind(c)
    type(mixed), value :: p
    integer(c_int), value :: m
    both = p%n * p%z + m
  end function
  type(point) function swap(p) bind(c)
    type(point), value :: p
    swap%x = p%y
    swap%y = p%x
  end function
  type(pair) function make(n) bind(c)
    integer(c_int), value :: n
    make = pair(n, 2*n)
  end function
  type(big) function larger(x) bind(c)
    real(c_double), value :: x
    larger%v = x
    larger%v(5) = 2*x
  end function
  real(c_float) function three(s) bind(c)
    type(small), value :: s
    three = s%a + 10*s%b + 100*s%c
  end function
  character(c_char) function upper(c) bind(c)
    character(c_char), value :: c
    upper = achar(iachar(c) - 32)
    c = '?'
  end function
  subroutine text(c, s)
    character, value :: c
    character(5), value :: s
    print *, c, s, len(s)
    c = 'x'
    s = 'changed'
  end subroutine
  subroutine whole(p)
    type(plain), value :: p
    print *, sum(p%i)
    p%i = 0
  end subroutine
  type(c_ptr) function next(p) 
    type(c_ptr), value :: p
    integer(c_int), pointer :: a(:)
    call c_f_pointer(p, a, [2])
    next = c_loc(a(2))
  end function
end module
program main
  use types
  implicit none
  type(pair) :: p
  type(plain) :: w
  type(point) :: q
  type(big) :: b
  character(5) :: s
  character :: c
  integer(c_int), target :: list(3) = [5, 6, 7]
  integer(c_int), pointer :: at
  p = pair(3, 4)
  print *, total(p), p%n, both(mixed(2, 1.5d0), 7)
  q = swap(point(1d0, 2d0))
  print *, q%x, q%y
  p = make(21)
  print *, p%n, p%k
  b = larger(1.25d0)
  print *, b%v
  print *, three(small(1., 2., 3.))
  c = 'q'
  print *, upper(c), c, upper('a')
  s = 'hello'
  call text(c, s)
  call text('z', s)
  print *, c, s
  w%i = [1, 2, 3, 4, 5, 6]
  call whole(w)
  print *, w%i
  call c_f_pointer(next(next(c_loc(list))), at)
  print *, at
end program
