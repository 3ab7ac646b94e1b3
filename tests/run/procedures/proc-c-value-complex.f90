! Complex numbers by value; temporaries that hold structures of different types; pointers that are absent arguments
module m
  use iso_c_binding
  implicit none
  type, bind(c) :: holder
    type(c_ptr) :: address
  end type
  type s
    integer :: i
    integer, allocatable :: a(:)
  end type
  interface assignment(=)
    module procedure set
  end interface
  type n
    integer :: k
  end type
contains
  subroutine eight(z) bind(c)
    complex(c_double_complex), value :: z
    print *, z
    z = conjg(z)
    print *, z
  end subroutine
  complex(c_float_complex) function four(z, k) bind(c)
    complex(c_float_complex), value :: z
    integer(c_int), value :: k
    four = z*k
  end function
  elemental subroutine set(a, b)
    type(n), intent(out) :: a
    type(n), intent(in) :: b
    a%k = 2*b%k
  end subroutine
  subroutine ask(x, y)
    integer, optional :: x, y(:)
    print *, present(x), present(y)
  end subroutine
end module
program p
  use m
  implicit none
  type(holder) :: h
  real(8), target :: buf(1)
  integer(c_intptr_t) :: i, j
  integer, pointer :: ps => null(), pa(:) => null()
  integer, allocatable :: as
  type(n) :: x(6)
  call eight((-99d0, 199d0))
  print *, four((1., 2.), 3)
  h = holder(c_loc(buf))
  i = transfer(h%address, 0_c_intptr_t)
  j = transfer(c_loc(buf), 0_c_intptr_t)
  print *, i == j, i /= 0
  call ask(ps, pa)
  call ask(as)
  allocate (ps, pa(2))
  call ask(ps, pa)
  x%k = [1, 2, 3, 4, 5, 6]
  x(2:5) = x(1:4)
  print *, x%k
  x = x([2, 3, 1, 4, 5, 6])
  print *, x%k
end program
