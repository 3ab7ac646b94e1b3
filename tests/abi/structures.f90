! Structures by value in both directions; tests/abi/structures.c is the other side.
module structures
  use iso_c_binding
  implicit none
  type, bind(c) :: mixed
    integer(c_int) :: n, k
    real(c_double) :: z
  end type
  type, bind(c) :: three
    real(c_float) :: x, y, z
  end type
  type, bind(c) :: two
    real(c_float) :: x, y
  end type
  type, bind(c) :: wide
    real(c_double) :: a, b
  end type
  type, bind(c) :: complexes
    complex(c_double_complex) :: c
  end type
  type, bind(c) :: small
    character(c_char) :: c
    integer(c_short) :: s
  end type
  type, bind(c) :: unequal
    real(c_float) :: x
    real(c_double) :: y
  end type
  type, bind(c) :: numbers
    integer(c_int) :: n(3)
  end type
  type, bind(c) :: one
    real(c_float) :: x
  end type
  type, bind(c) :: nested
    type(two) :: a, b
  end type
  type, bind(c) :: bytes
    character(c_char) :: c(5)
  end type
  type, bind(c) :: tail
    integer(c_long) :: n
    real(c_float) :: x(2)
  end type
  interface
    real(c_double) function c_mixed(t, i) bind(c)
      import; type(mixed), value :: t; integer(c_int), value :: i
    end function
    real(c_double) function c_three(t, f) bind(c)
      import; type(three), value :: t; real(c_float), value :: f
    end function
    real(c_double) function c_two(t) bind(c)
      import; type(two), value :: t
    end function
    real(c_double) function c_wide(t) bind(c)
      import; type(wide), value :: t
    end function
    real(c_double) function c_complex(t) bind(c)
      import; type(complexes), value :: t
    end function
    real(c_double) function c_small(t) bind(c)
      import; type(small), value :: t
    end function
    real(c_double) function c_unequal(t) bind(c)
      import; type(unequal), value :: t
    end function
    real(c_double) function c_numbers(t) bind(c)
      import; type(numbers), value :: t
    end function
    real(c_double) function c_one(t) bind(c)
      import; type(one), value :: t
    end function
    real(c_double) function c_nested(t) bind(c)
      import; type(nested), value :: t
    end function
    real(c_double) function c_bytes(t) bind(c)
      import; type(bytes), value :: t
    end function
    real(c_double) function c_tail(t) bind(c)
      import; type(tail), value :: t
    end function
    type(two) function r_two(x) bind(c)
      import; real(c_float), value :: x
    end function
    type(wide) function r_wide(x) bind(c)
      import; real(c_double), value :: x
    end function
    type(complexes) function r_complex(x) bind(c)
      import; real(c_double), value :: x
    end function
    type(small) function r_small(x) bind(c)
      import; integer(c_int), value :: x
    end function
    type(one) function r_one(x) bind(c)
      import; real(c_float), value :: x
    end function
    real(c_double) function back(k) bind(c)
      import; integer(c_int), value :: k
    end function
  end interface
contains
  real(c_double) function f_mixed(t, i) bind(c)
    type(mixed), value :: t
    integer(c_int), value :: i
    f_mixed = t%n + 10*t%k + 100*t%z + 1000*i
    t%n = 0
  end function
  real(c_double) function f_three(t, f) bind(c)
    type(three), value :: t
    real(c_float), value :: f
    f_three = t%x + 10*t%y + 100*t%z + 1000*f
  end function
  real(c_double) function f_nested(t) bind(c)
    type(nested), value :: t
    f_nested = t%a%x + 10*t%a%y + 100*t%b%x + 1000*t%b%y
  end function
  real(c_double) function f_tail(t) bind(c)
    type(tail), value :: t
    f_tail = t%n + 10*t%x(1) + 100*t%x(2)
  end function
  type(two) function g_two(x) bind(c)
    real(c_float), value :: x
    g_two = two(x, 2*x)
  end function
  type(complexes) function g_complex(x) bind(c)
    real(c_double), value :: x
    g_complex%c = cmplx(x, 4*x, c_double)
  end function
end module
program p
  use structures
  implicit none
  type(two) :: a
  type(wide) :: b
  type(complexes) :: c
  type(small) :: d
  type(one) :: e
  integer(c_int) :: k
  print '(f12.3)', c_mixed(mixed(1, 2, 3d0), 4), c_three(three(1, 2, 3), 4.0), c_two(two(1, 2))
  print '(f12.3)', c_wide(wide(1, 2)), c_complex(complexes((1d0, 2d0))), c_small(small('A', 3_c_short))
  print '(f12.3)', c_unequal(unequal(1.0, 2d0)), c_numbers(numbers([1, 2, 3])), c_one(one(1.5))
  print '(f12.3)', c_nested(nested(two(1, 2), two(3, 4))), c_bytes(bytes(['a', 'b', 'c', 'd', 'e']))
  print '(f12.3)', c_tail(tail(7, [8.0, 9.0]))
  a = r_two(1.5)
  b = r_wide(1.5d0)
  c = r_complex(1.5d0)
  d = r_small(66)
  e = r_one(1.5)
  print '(6f9.3)', a%x, a%y, b%a, b%b, c%c
  print '(a, i6, f9.3)', d%c, d%s, e%x
  do k = 1, 6
    print '(f12.3)', back(k)
  end do
end program
