! Base cases of recursive procedures at their calls, and tiny procedures inlined into themselves
module shared_state
  implicit none
  integer :: visits = 0, deepest = 0
  integer :: table(0:20) = 0
contains
  ! The base case changes variables of the module.
  recursive subroutine visit(level)
    integer, intent(in) :: level
    if (level > deepest) then
      deepest = level
      call visit(level - 1)
      table(level) = table(level) + 1
    else
      visits = visits + 1
      table(0) = table(0) + level
    end if
  end subroutine

  ! A RETURN ends the base case, and what is behind it calls.
  recursive integer function gcd(a, b) result(g)
    integer, intent(in) :: a, b
    if (b == 0) then
      g = a
      return
    end if
    g = gcd(b, mod(a, b))
  end function

  ! An assignment stands before the decision; the argument comes by value.
  recursive function weight(n) result(w)
    integer, value :: n
    real(8) :: w
    w = 0.5d0
    if (n > 1) w = w + weight(n / 2) * 2 - weight(n - 2)
  end function

  ! The decision changes the argument that it has read.
  recursive subroutine halve(n, steps)
    integer, intent(inout) :: n, steps
    if (n <= 1) then
      n = n + 100
      if (steps > 3) then
        steps = -steps
      else
        n = n + 1000
      end if
    else
      n = n / 2
      steps = steps + 1
      call halve(n, steps)
    end if
    n = n + 1
  end subroutine

  recursive integer function ackermann(m, n) result(a)
    integer, intent(in) :: m, n
    if (m == 0) then
      a = n + 1
    else if (n == 0) then
      a = ackermann(m - 1, 1)
    else
      a = ackermann(m - 1, ackermann(m, n - 1))
    end if
  end function

  ! A saved variable; one of four calls.
  recursive integer function saved(n) result(k)
    integer, intent(in) :: n
    integer, save :: calls = 0
    calls = calls + 1
    k = calls
    if (n > 0) then
      k = k + saved(n - 1) + saved(n - 3)
    end if
  end function

  ! Two that call one another.
  recursive logical function is_even(n) result(e)
    integer, intent(in) :: n
    if (n == 0) then
      e = .true.
    else
      e = is_odd(n - 1)
    end if
  end function
  recursive logical function is_odd(n) result(o)
    integer, intent(in) :: n
    if (n == 0) then
      o = .false.
    else
      o = is_even(n - 1)
    end if
  end function
end module

program recursion_base_cases
  use shared_state
  implicit none
  integer :: i, k, n, steps, few(5), sum_of_all
  real(8) :: total, x(6)
  total = 0
  sum_of_all = 0
  do i = 1, 12
    call visit(mod(i * 5, 13))
    sum_of_all = sum_of_all + gcd(i * 6, 27)
    total = total + weight(i)
  end do
  print '(2i6, es24.16)', visits, deepest, total
  print '(i6, 21i4)', sum_of_all, table
  do i = 1, 5
    few(i) = i * 7
    steps = i - 4
    call halve(few(i), steps)
    print '(3i6)', i, few(i), steps
  end do
  do i = 0, 2
    do k = 0, 3
      print '(3i6)', i, k, ackermann(i, k)
    end do
  end do
  n = 0
  do i = 1, 4
    n = n + saved(i)
    if (is_even(i) .neqv. is_odd(i + 1)) n = n + 1000
  end do
  print '(i8)', n
  x = [(i * 0.75d0, i = 1, 6)]
  do i = 1, 6
    call sink(x(i), i)
  end do
  print '(6es24.16)', x
  do i = 1, 3
    print '(i6, i8)', i, count_paths(i, i + 1)
  end do
contains
  ! A host's variable is in the decision, and the actual argument is an element.
  recursive subroutine sink(y, depth)
    real(8), intent(inout) :: y
    integer, intent(in) :: depth
    if (y < total .and. depth > 0) then
      y = y * 1.5d0
      call sink(y, depth - 1)
    else
      y = y - 0.25d0
    end if
  end subroutine
  recursive integer function count_paths(right, up) result(paths)
    integer, intent(in) :: right, up
    if (right == 0 .or. up == 0) then
      paths = 1
    else
      paths = count_paths(right - 1, up) + count_paths(right, up - 1)
    end if
  end function
end program
