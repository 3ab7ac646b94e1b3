! What cannot stand in the body of an interface, and ENDs that name another generic.
subroutine bodies
  implicit none
  interface
    real function f(i)
      integer :: i
      data i /1/
    end function
    real function g(i)
      integer :: i
      i = 1
      i = 2
    end function
    real function h(x)
      real :: x
10    format (i5)
    end function
    subroutine s(x)
      real :: x
      entry t(x)
    end subroutine
  end interface bodies
  interface operator (.gt.)
  end interface operator (.lt.)
  interface operator (.lt.)
  end interface operator
  interface assignment (=)
  end interface some
  interface one
  end interface two
  interface operator (>=)
  end interface operator (.ge.)
end subroutine
