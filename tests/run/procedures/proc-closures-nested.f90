! procedures passed down several levels; function as argument and result kinds; external
program p
  implicit none
  real :: total
  integer :: count
  interface
    real function halve(x)
      real, intent(in) :: x
    end function
  end interface
  intrinsic :: sin
  real, external :: dbl
  total = 0; count = 0
  print '(3f8.4)', compose(halve, dbl, 3.0), compose(dbl, sin, 0.5), compose(local, halve, 8.0)
  print *, count
  call level1(tally, 3)
  print *, total
contains
  real function compose(f, g, x)
    interface
      real function f(x)
        real, intent(in) :: x
      end function
    end interface
    real, external :: g
    real, intent(in) :: x
    compose = f(g(x))
  end function
  real function local(x)
    real, intent(in) :: x
    count = count + 1
    local = x + count
  end function
  subroutine tally(x)
    real, intent(in) :: x
    total = total + x
  end subroutine
  recursive subroutine level1(act, n)
    external :: act
    integer, intent(in) :: n
    call level2(act, real(n))
    if (n > 1) call level1(act, n - 1)
  end subroutine
  subroutine level2(act, x)
    interface
      subroutine act(x)
        real, intent(in) :: x
      end subroutine
    end interface
    real, intent(in) :: x
    total = total*2
    call act(x)
    call act(total)
  end subroutine
end program
real function halve(x)
  real, intent(in) :: x
  halve = x/2
end function
real function dbl(x)
  real :: x
  dbl = 2*x
end function
! aliases: a variable of the host is passed to a procedure that changes it.
