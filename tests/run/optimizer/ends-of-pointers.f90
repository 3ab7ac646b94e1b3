! Loops whose ends a pointer tells, with the variable asked for behind them: at a way out, behind the last iteration, where it wraps,
! with strides of run time, and where there is no iteration at all.
module loops
  implicit none
contains
  integer function first_above(x, n, v) result(at)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n), v
    integer :: i
    at = -1
    do i = 1, n
      if (x(i) > v) then
        at = i
        return
      end if
    end do
    at = i
  end function

  logical function any_above(x, m, n, v) result(found)
    integer, intent(in) :: m, n
    real(8), intent(in) :: x(:), v
    integer :: i
    found = .false.
    do i = m, n
      if (x(i) > v) then
        found = .true.
        exit
      end if
    end do
  end function

  integer function strided(a, b, m, n, by) result(last)
    real(8), intent(inout) :: a(:)
    real(8), intent(in) :: b(:)
    integer, intent(in) :: m, n, by
    integer :: i
    do i = m, n, by
      a(i) = b(i) * 0.5d0 + a(i)
    end do
    last = i
  end function

  subroutine at_the_edge(x, s, last)
    integer, intent(in) :: x(huge(1) - 6:huge(1))
    integer, intent(out) :: s, last
    integer :: i
    s = 0
    do i = huge(1) - 5, huge(1) - 1
      if (x(i) == 77) exit
      s = s * 3 + x(i)
    end do
    last = i
  end subroutine

  integer(8) function short_rows(x, n, m) result(s)
    integer, intent(in) :: n, m
    integer, intent(in) :: x(n, m)
    integer(8) :: i, j
    s = 0
    do j = m, 1, -1
      do i = n, 1, -1
        if (x(i, j) == 0) exit
        s = s * 3 + x(i, j)
        s = ieor(s, i)
      end do
      s = s + i
    end do
  end function

  integer function walk(x, n) result(k)
    integer, intent(in) :: n
    integer, intent(in) :: x(n)
    integer :: i
    k = 0
    i = 0
10  i = i + 1
    if (x(i) < 0) goto 20
    k = k + x(i)
    if (i /= n) goto 10
    k = k + 1000
20  k = k * 100 + i
  end function

  subroutine state(x, y, n)
    integer, intent(in) :: n
    real(8), intent(out) :: x(n)
    real(8), intent(in) :: y(n + 6)
    integer :: k
    do k = 1, n
      x(k) = y(k) + 0.5d0 * (y(k + 1) + 0.25d0 * (y(k + 2) + y(k + 3))) + y(k + 4) * (y(k + 5) + y(k + 6))
    end do
  end subroutine
end module

program ends
  use loops
  implicit none
  real(8) :: a(40), b(40), c(34)
  integer :: k, n, edge(7), rows(5, 6), s, last
  do k = 1, 40
    b(k) = mod(k * 7, 23)
    a(k) = k
  end do
  print '(12i4)', (first_above(b, k, 20d0), k = 0, 11)
  print '(12i4)', (first_above(b(k:), 3, 16d0), k = 1, 12)
  print '(20l2)', (any_above(b, k, 12, 19d0), k = 1, 14)
  do k = 1, 5
    print '(4i5)', strided(a, b, 2, 38, k), strided(a, b, 38, 2, -k), strided(a, b, 9, 8, k), strided(a, b, 8, 9, -k)
  end do
  print '(8f9.3)', a
  edge = [1, 2, 3, 4, 5, 6, 7]
  do k = 1, 3
    call at_the_edge(edge, s, last)
    print '(2i12)', s, last
    edge(8 - 2 * k) = 77
  end do
  do k = 0, 4
    rows = reshape([(mod(n * 5 + k, 7), n = 1, 30)], [5, 6])
    print '(i22)', short_rows(rows, 5, 6), short_rows(rows, k, 6)
  end do
  edge = [3, 1, 4, 1, 5, -9, 2]
  print '(3i8)', walk(edge, 3), walk(edge, 5), walk(edge, 7)
  do n = 0, 34, 17
    c = -1
    call state(c, b, n)
    print '(6f10.3)', c
  end do
  print '(6f10.3)', sum(c)
end program
