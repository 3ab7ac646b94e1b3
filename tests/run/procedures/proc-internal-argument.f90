! An internal procedure that uses variables of its host, as an actual argument.
module solvers
  implicit none
contains
  function bisect(f, a, b) result(x)
    interface
      real(8) function f(x)
        real(8), intent(in) :: x
      end function
    end interface
    real(8), intent(in) :: a, b
    real(8) :: x, lo, hi
    integer :: k
    lo = a; hi = b
    do k = 1, 60
      x = 0.5d0*(lo + hi)
      if (f(lo)*f(x) <= 0d0) then
        hi = x
      else
        lo = x
      end if
    end do
  end function
  recursive subroutine walk(n, visit)
    integer, intent(in) :: n
    interface
      subroutine visit(k)
        integer, intent(in) :: k
      end subroutine
    end interface
    if (n <= 0) return
    call visit(n)
    call walk(n - 1, visit)
  end subroutine
end module
program p
  use solvers
  implicit none
  real(8) :: c, root
  integer :: total, i, list(3)
  do i = 2, 4
    c = real(i, 8)
    root = bisect(square, 0d0, 10d0)
    print '(f10.6)', root
  end do
  total = 0
  list = 0
  call walk(5, add)
  print *, total, list
contains
  real(8) function square(x)
    real(8), intent(in) :: x
    square = x*x - c
  end function
  subroutine add(k)
    integer, intent(in) :: k
    total = total + k
    list(mod(k, 3) + 1) = list(mod(k, 3) + 1) + 1
  end subroutine
end program
