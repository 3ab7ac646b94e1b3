! EXP, LOG, SIN, COS and powers of many elements: equal to those of single ones, in loops of every form. The vectors that gfortran makes of
! them at -O2 have other last digits.
module single
  implicit none
  integer, parameter :: r8 = kind(1.0d0)
contains
  ! Not worth a block: one value at a time.
  real(r8) function one(what, x, y)
    character(*), intent(in) :: what
    real(r8), intent(in) :: x, y
    select case (what)
    case ('exp'); one = exp(x)
    case ('log'); one = log(x)
    case ('sin'); one = sin(x)
    case ('cos'); one = cos(x)
    case default; one = x ** y
    end select
  end function

  integer function differences(what, a, x, y)
    character(*), intent(in) :: what
    real(r8), intent(in) :: a(:), x(:), y(:)
    integer :: i
    differences = 0
    do i = 1, size(a)
      if (transfer(a(i), 1_8) /= transfer(one(what, x(i), y(i)), 1_8)) differences = differences + 1
    end do
  end function
end module

program blocks
  use single
  implicit none
  integer, parameter :: sizes(9) = [0, 1, 15, 16, 17, 100, 511, 512, 1500]
  real(r8) :: x(1500), y(1500), a(1500), b(1500), sum
  real(4) :: s(1500)
  integer :: k, n, i, last(9), number(1500), ended
  do i = 1, 1500
    x(i) = 0.01d0 + i * 0.013d0 + 1.0d0 / i
    y(i) = (i - 700) * 0.003d0
  end do
  do k = 1, size(sizes)
    n = sizes(k)
    a = -1
    call each(n)
    last(k) = ended
  end do
  print '(9i6)', last
  call carried
  call reductions
  call special
contains
  subroutine each(n)
    integer, intent(in) :: n
    integer :: i
    !GCC$ novector
    do i = 1, n
      a(i) = exp(-x(i))
    end do
    ended = i
    print '(a, 2i6)', 'exp', n, differences('exp', a(:n), -x(:n), y)
    !GCC$ novector
    do i = 1, n
      a(i) = log(x(i))
      b(i) = sin(x(i)) + cos(y(i))
    end do
    print '(a, 2i6)', 'log', n, differences('log', a(:n), x(:n), y)
    print '(a, l2)', 'sum', all(b(:n) == [(one('sin', x(i), y(i)) + one('cos', y(i), x(i)), i = 1, n)])
    !GCC$ novector
    do i = 1, n
      a(i) = x(i) ** 1.5d0
      b(i) = x(i) ** y(i)
    end do
    print '(a, 2i6)', 'powers', n, differences('**', a(:n), x(:n), spread(1.5d0, 1, n))
    print '(a, 2i6)', 'powers', n, differences('**', b(:n), x(:n), y(:n))
    a(:n) = 2.5d0 ** y(:n)
    print '(a, 2i6)', 'powers', n, differences('**', a(:n), spread(2.5d0, 1, n), y(:n))
    a(:n) = exp(sin(x(:n)))
    b(:n) = sin(x(:n))
    print '(a, 2i6)', 'nested', n, differences('exp', a(:n), b(:n), y)
    !GCC$ novector
    do i = 1, n
      a(i) = exp(-x(i))
    end do
  end subroutine

  ! What an iteration needs from the one before; registers between the parts; other kinds.
  subroutine carried()
    real(r8) :: t, before
    integer :: j
    a = x
    !GCC$ novector
    do j = 2, 200
      a(j) = exp(-a(j - 1)) + x(j)
    end do
    before = x(1)
    !GCC$ novector
    do j = 2, 200
      before = exp(-before) + x(j)
    end do
    print '(a, l2)', 'carried', a(200) == before
    a(1) = x(1)
    !GCC$ novector
    do j = 2, 200
      a(j) = a(j - 1) + exp(-x(j))
    end do
    before = x(1)
    !GCC$ novector
    do j = 2, 200
      before = before + one('exp', -x(j), 0.0d0)
    end do
    print '(a, l2)', 'sum', a(200) == before
    !GCC$ novector
    do j = 1, 1000
      t = x(j) * 2
      number(j) = 3 * j
      a(j) = exp(-t) * t + number(j)
      s(j) = real(sin(t))
    end do
    print '(a, l2, i6)', 'kept', t == x(1000) * 2, j
    print '(a, l2)', 'kept', all(a(:1000) == [(one('exp', -2 * x(j), 0.0d0) * (2 * x(j)) + 3 * j, j = 1, 1000)])
    print '(a, l2)', 'kept', all(s(:1000) == [(real(one('sin', 2 * x(j), 0.0d0)), j = 1, 1000)])
    a = x
    !GCC$ novector
    do j = 1, 1000
      a(j) = log(a(j + 3))
    end do
    print '(a, i6)', 'ahead', differences('log', a(:1000), x(4:1003), y)
    a = x
    !GCC$ novector
    do j = 1, 600
      a(j + 3) = log(a(j))
    end do
    before = x(1)
    !GCC$ novector
    do j = 1, 200
      before = one('log', before, before)
    end do
    print '(a, l2)', 'behind', transfer(before, 1_8) == transfer(a(601), 1_8) .or. (before /= before .and. a(601) /= a(601))
  end subroutine

  subroutine reductions()
    real(r8) :: other
    integer :: j
    sum = 0
    !GCC$ novector
    do j = 1, 1500
      if (x(j) > 0) sum = sum + exp(y(j)) * cos(x(j))
    end do
    other = 0
    !GCC$ novector
    do j = 1, 1500
      other = other + exp(y(j)) * cos(x(j))
    end do
    print '(a, l2)', 'sums', sum == other
  end subroutine

  subroutine special()
    use, intrinsic :: ieee_arithmetic
    use, intrinsic :: ieee_exceptions
    real(r8) :: v(64), w(64), e(64)
    logical :: flags(4)
    integer :: j
    v = [(j * 0.1d0, j = 1, 64)]
    v(3) = ieee_value(1.0d0, ieee_positive_inf)
    v(5) = ieee_value(1.0d0, ieee_quiet_nan)
    v(7) = 0
    v(9) = -0.0d0
    v(11) = tiny(1.0d0) / 8
    call ieee_set_flag(ieee_all, .false.)
    !GCC$ novector
    do j = 1, 64
      w(j) = exp(v(j))
      e(j) = cos(v(j) * 1.0d-3)
    end do
    call ieee_get_flag(ieee_usual, flags(1:3))
    call ieee_get_flag(ieee_underflow, flags(4))
    print '(a, 4l2)', 'flags', flags
    call ieee_set_flag(ieee_all, .false.)
    print '(a, i6)', 'special', differences('exp', w, v, v)
    v(3) = 800
    v(5) = 1
    !GCC$ novector
    do j = 1, 64
      w(j) = exp(v(j))
      e(j) = log(v(j) + 1)
    end do
    call ieee_get_flag(ieee_usual, flags(1:3))
    print '(a, 3l2)', 'flags', flags(1:3)
    call ieee_set_flag(ieee_all, .false.)
    call ieee_set_rounding_mode(ieee_up)
    !GCC$ novector
    do j = 1, 64
      w(j) = exp(x(j))
      e(j) = x(j) ** 0.3d0
    end do
    print '(a, 2i6)', 'up', differences('exp', w, x, x), differences('**', e, x(:64), spread(0.3d0, 1, 64))
    call ieee_set_rounding_mode(ieee_nearest)
  end subroutine
end program
