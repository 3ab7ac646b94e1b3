! Procedures as arguments and behind pointers have the interface that is asked for.
module m
  implicit none
  abstract interface
    real function fun(x, n)
      real, intent(in) :: x
      integer, optional :: n
    end function
  end interface
contains
  subroutine use_it(f)
    procedure(fun) :: f
    print *, f(1.0)
  end subroutine
  subroutine use_typed(g)
    integer, external :: g
    print *, g(1)
  end subroutine
  real function good(y, k)
    real, intent(in) :: y
    integer, optional :: k
    good = y
  end function
  real function required(y, k)
    real, intent(in) :: y
    integer :: k
    required = y
  end function
  real function short(y)
    real, intent(in) :: y
    short = y
  end function
  integer function whole(y, k)
    real, intent(in) :: y
    integer, optional :: k
    whole = int(y)
  end function
  real function changes(y, k)
    real :: y
    integer, optional :: k
    changes = y
  end function
  subroutine sub(y, k)
    real, intent(in) :: y
    integer, optional :: k
  end subroutine
end module
subroutine ext(a)
  real :: a(:)
end subroutine
function arr(n)
  integer :: n
  real :: arr(2)
  arr = n
end function
program p
  use m
  procedure(fun), pointer :: f
  procedure(), pointer :: g
  real :: r(2)
  call use_it(good)
  call use_it(required)
  call use_it(short)
  call use_it(whole)
  call use_it(changes)
  call use_it(sub)
  call use_typed(good)
  f => good
  f => short
  g => good
  call ext(r)
end program
