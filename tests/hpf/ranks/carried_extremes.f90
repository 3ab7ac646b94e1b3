! Extremes of reals along a distributed dimension, with masks, and their places: NaNs give way, of equals the first wins, zeros keep their signs, and what no
! element is taken from is as on one rank.
program carried_extremes
  implicit none
  integer, parameter :: n = 23, m = 7
  real(8) :: a(n, m), wide(m, n), s(m), t(m), norm(m), inf, late(n)
  real(8) :: cube(m, n, 3), plane(m, 3)
  real(4) :: narrow(n, m), least(m)
  integer :: g(n, m), k(m), where_is(m), i, j, step, k3(m, 3), beside(n)
  logical :: q(m, n), only(m, n)
!HPF$ DISTRIBUTE a(BLOCK, *)
!HPF$ ALIGN (i, j) WITH a(i, j) :: narrow, g
!HPF$ DISTRIBUTE wide(*, BLOCK)
!HPF$ ALIGN q(i, j) WITH wide(i, j)
!HPF$ ALIGN cube(i, j, *) WITH wide(i, j)
!HPF$ DISTRIBUTE late(BLOCK)
  inf = huge(inf)
  inf = inf * 2
  late = 0
  do step = 1, 3
    do j = 1, m
      do i = 1, n
        a(i, j) = mod(7 * i * j + step, 11) - 5
        narrow(i, j) = mod(3 * i + j * step, 7)
        g(i, j) = mod(5 * i * j + step, 9)
      end do
    end do
    if (step > 1) then
      ! NaNs first, last, everywhere; zeros of both signs; infinity on either side; NaNs and infinity alone.
      a(1, 1) = payload(1)
      a(n, 1) = payload(2)
      do i = 1, n
        a(i, 2) = payload(i)
      end do
      a(:, 3) = -0d0
      a(n - 3, 3) = 0
      a(:, 4) = 0
      a(3, 4) = -0d0
      a(:, 5) = -inf
      a(5, 5) = payload(step)
      a(:, 6) = inf
      a(n / 2 + 1, 6) = payload(step)
      a(2:n, 7) = payload(step)
      a(1, 7) = -huge(inf)
      narrow(:, 2) = transfer(int(z'7fc00003'), 1.0)
      narrow(4, 2) = -inf
      narrow(n, 3) = transfer(int(z'7fc00005'), 1.0)
    end if
    do j = 1, m
      do i = 1, n
        wide(j, i) = a(i, j)
        q(j, i) = mod(i * j, 3 + step) == 1
        only(j, i) = i == n .or. j == 2
        cube(j, i, 1) = a(i, j)
        cube(j, i, 2) = -a(n + 1 - i, j)
        cube(j, i, 3) = i
      end do
    end do
    s = maxval(a, dim=1)
    t = minval(a, dim=1)
    call show(s)
    call show(t)
    s = maxval(a, dim=1, mask=g > 3)
    t = minval(a, dim=1, mask=g > 30)
    call show(s)
    call show(t)
    s = minval(a, dim=1, mask=g == 4 .or. a /= a)
    t = maxval(a, dim=1, mask=step > 1)
    call show(s)
    call show(t)
    least = minval(narrow, dim=1)
    call show(real(least, 8))
    least = maxval(narrow * 2, dim=1, mask=g < 4)
    call show(real(least, 8))
    s = maxval(wide, dim=2)
    t = minval(wide, dim=2, mask=q)
    call show(s)
    call show(t)
    t = maxval(wide, dim=2, mask=only)
    call show(t)
    k = maxloc(a, dim=1)
    where_is = minloc(a, dim=1)
    print '(14i4)', k, where_is
    k = maxloc(a, dim=1, mask=g > 3)
    where_is = minloc(g, dim=1, mask=a > 0)
    print '(14i4)', k, where_is
    k = maxloc(g, dim=1) + minloc(narrow, dim=1)
    where_is = maxloc(g, dim=1, mask=g > 30)
    print '(14i4)', k, where_is
    k = maxloc(wide, dim=2)
    where_is = minloc(wide, dim=2, mask=q)
    print '(14i4)', k, where_is
    plane = maxval(cube, dim=2, mask=cube < 4)
    k3 = minloc(cube, dim=2)
    do j = 1, 3
      call show(plane(:, j))
    end do
    print '(21i4)', k3
    norm = norm2(a, dim=1)
    call tell(norm)
    norm = norm2(wide, dim=2)
    call tell(norm)
    least = norm2(narrow + 1, dim=1)
    call tell(real(least, 8))
    plane = norm2(cube, dim=2)
    call tell(plane(:, 3))
    ! Results that owners have, and those of the other dimension; BACK.
    late = maxval(a, dim=2) / 2
    beside = maxloc(a, dim=2, mask=g > 1)
    print '(23i3)', beside
    where (late /= late .or. abs(late) > 1d10) late = 1
    print '(5es24.16)', late
    k = maxloc(g, dim=1, back=.true.)
    print '(7i4)', k
    k = 0
    if (any(maxval(narrow, dim=1) > step)) k = minloc(narrow, dim=1, mask=narrow > 1)
    print '(7i4)', k
  end do
contains
  ! NaNs that differ.
  real(8) function payload(l)
    integer, intent(in) :: l
    payload = transfer(int(z'7ff8000000000000', 8) + l, payload)
  end function
  subroutine show(x)
    real(8), intent(in) :: x(:)
    print '(7z17.16)', transfer(x, [0_8])
  end subroutine
  ! NaNs that are computed have any sign.
  subroutine tell(x)
    real(8), intent(in) :: x(:)
    print '(7es24.16, 7l2)', merge(x, 0d0, x == x), x == x
  end subroutine
end program
