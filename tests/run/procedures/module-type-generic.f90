! A generic name that is also that of a type, from different modules; procedures of a generic name declared behind it
module makers
  implicit none
  interface cons
    module procedure cons_int
  end interface
contains
  integer function cons_int(n, m)
    integer, intent(in) :: n, m
    cons_int = 100 * n + m
  end function
end module

module types
  implicit none
  type cons
    integer :: n = -1
  end type
end module

module late
  implicit none
  interface total
    procedure total_r, total_i
  end interface
  interface
    real function total_r(x)
      real, intent(in) :: x(3)
    end function
  end interface
  procedure(shape_of) :: total_i
  abstract interface
    integer function shape_of(k)
      integer, intent(in) :: k(3)
    end function
  end interface
end module

real function total_r(x)
  implicit none
  real, intent(in) :: x(3)
  total_r = sum(x)
end function

integer function total_i(k)
  implicit none
  integer, intent(in) :: k(3)
  total_i = product(k)
end function

program main
  call first
  call second
contains
  subroutine first
    use makers
    use types
    type(cons) :: x
    x = cons(3)
    print *, x%n, cons(4, 5)
  end subroutine
  subroutine second
    use types
    use late
    use makers
    type(cons) :: x
    print *, x%n, cons(n=6), cons(n=6, m=7)
    print *, total([1., 2., 4.5]), total([2, 3, 4])
  end subroutine
end program
