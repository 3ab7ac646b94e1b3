! Recursion: functions with RESULT, subroutines, mutual recursion, host variables.
program p
  implicit none
  integer :: depth
  print *, fact(10), fib(15), ackermann(2, 3)
  depth = 0
  call hanoi(4, 'A', 'B', 'C')
  print *, depth, is_even(10), is_odd(7)
contains
  recursive function fact(n) result(f)
    integer, intent(in) :: n
    integer :: f
    f = 1
    if (n > 1) f = n*fact(n - 1)
  end function
  recursive integer function fib(n) result(f)
    integer, intent(in) :: n
    if (n < 2) then
      f = n
    else
      f = fib(n - 1) + fib(n - 2)
    end if
  end function
  recursive function ackermann(m, n) result(a)
    integer, intent(in) :: m, n
    integer :: a
    if (m == 0) then
      a = n + 1
    else if (n == 0) then
      a = ackermann(m - 1, 1)
    else
      a = ackermann(m - 1, ackermann(m, n - 1))
    end if
  end function
  recursive subroutine hanoi(n, from, to, via)
    integer, intent(in) :: n
    character, intent(in) :: from, to, via
    if (n == 0) return
    call hanoi(n - 1, from, via, to)
    depth = depth + 1
    call hanoi(n - 1, via, to, from)
  end subroutine
  recursive logical function is_even(n) result(r)
    integer, intent(in) :: n
    r = n == 0
    if (n > 0) r = is_odd(n - 1)
  end function
  recursive logical function is_odd(n) result(r)
    integer, intent(in) :: n
    r = .false.
    if (n > 0) r = is_even(n - 1)
  end function
end program
