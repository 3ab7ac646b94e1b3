! R14: the error of every intrinsic function of one and of two real arguments, in units of the last place.
!
! accuracy N4 N8: N4 arguments of kind 4 and N8 of kind 8 for each function, spread over the exponents of its domain; with N4 = 4294967296 every number of
! kind 4. The judge of kind 4 is the function of kind 8, that of kind 8 the function of kind 16, which other code computes.
! A line for each: function, kind, arguments, those that are not correctly rounded, the largest error and where it is.
module functions
  implicit none
  integer, parameter :: last = 31
  character(12), parameter :: names(last) = [character(12) :: 'sqrt', 'exp', 'log', 'log10', 'sin', 'cos', 'tan', 'asin', &
    'acos', 'atan', 'sinh', 'cosh', 'tanh', 'asinh', 'acosh', 'atanh', 'erf', 'erfc', 'erfc_scaled', 'gamma', 'log_gamma', &
    'bessel_j0', 'bessel_j1', 'bessel_y0', 'bessel_y1', 'bessel_jn(3)', 'atan2', 'hypot', '**', 'abs(cmplx)', 'mod']
  ! The domain: least and greatest absolute value as powers of two, and whether negative arguments are in it.
  integer, parameter :: least(last) = [-120, -40, -120, -120, -40, -40, -40, -40, -40, -40, -40, -40, -40, -40, 0, -40, -40, -40, &
    -40, -5, -20, -10, -10, -10, -10, -3, -60, -60, -20, -60, -20]
  integer, parameter :: greatest(last) = [120, 6, 120, 120, 20, 20, 20, 0, 0, 100, 6, 6, 5, 100, 100, 0, 2, 3, &
    6, 5, 20, 6, 6, 6, 6, 6, 60, 60, 5, 60, 20]
  logical, parameter :: t = .true., f = .false.
  logical, parameter :: negative(last) = [f, t, f, f, t, t, t, t, t, t, t, t, t, t, f, t, t, t, &
    f, f, f, t, t, f, f, t, t, t, f, t, t]
contains
  real(4) function f4(k, x, y) result(r)
    integer, intent(in) :: k
    real(4), intent(in) :: x, y
    include 'accuracy.inc'
  end function

  real(8) function f8(k, x, y) result(r)
    integer, intent(in) :: k
    real(8), intent(in) :: x, y
    include 'accuracy.inc'
  end function

  real(16) function f16(k, x, y) result(r)
    integer, intent(in) :: k
    real(16), intent(in) :: x, y
    include 'accuracy.inc'
  end function

  ! A number whose exponent and bits are those of the random `state`, which goes on.
  real(16) function argument(k, state) result(x)
    integer, intent(in) :: k
    integer(8), intent(inout) :: state
    state = ieor(state, ishft(state, 13))
    state = ieor(state, ishft(state, -7))
    state = ieor(state, ishft(state, 17))
    x = 1 + real(iand(state, 2_8**52 - 1), 16) / 2_8**52
    x = scale(x, least(k) - 1 + int(mod(iand(ishft(state, -52), 2047_8), int(greatest(k) - least(k) + 1, 8))))
    if (negative(k) .and. btest(state, 63)) x = -x
  end function

  ! Whether the function has a value there that is not trivial.
  logical function is_in(k, x)
    integer, intent(in) :: k
    real(8), intent(in) :: x
    is_in = abs(x) >= 2d0**(least(k) - 1) .and. abs(x) <= 2d0**greatest(k) .and. (negative(k) .or. x > 0)
    select case (trim(names(k)))
    case ('acosh')
      is_in = is_in .and. x >= 1
    case ('asin', 'acos')
      is_in = is_in .and. abs(x) <= 1
    case ('atanh')
      is_in = is_in .and. abs(x) < 1
    end select
  end function
end module

program accuracy
  use functions
  implicit none
  character(20) :: word
  integer(8) :: counts(2)
  integer :: k
  do k = 1, 2
    call get_command_argument(k, word)
    read (word, *) counts(k)
  end do
  do k = 1, last
    call singles(k, counts(1))
    call doubles(k, counts(2))
  end do
contains
  subroutine singles(k, n)
    integer, intent(in) :: k
    integer(8), intent(in) :: n
    integer(8) :: i, state, judged, missed
    real(4) :: x, y, got, worst_at
    real(8) :: want, error, worst
    state = 88172645463325252_8
    judged = 0
    missed = 0
    worst = 0
    worst_at = 0
    y = 1
    do i = 0, n - 1
      if (n == 2_8**32) then
        x = transfer(int(i - 2_8**31), x)
      else
        x = real(argument(k, state), 4)
      end if
      if (.not. is_in(k, real(x, 8))) cycle
      if (k > 26) y = real(argument(k, state), 4)
      got = f4(k, x, y)
      want = f8(k, real(x, 8), real(y, 8))
      if (.not. abs(want) <= huge(got) .or. abs(want) < tiny(got)) cycle
      judged = judged + 1
      if (got /= real(want, 4)) missed = missed + 1
      error = abs(got - want) / spacing(real(want, 4))
      if (error > worst) then
        worst = error
        worst_at = x
      end if
    end do
    print '(a12, i3, i12, i12, f16.4, es18.9)', names(k), 4, judged, missed, worst, worst_at
  end subroutine

  subroutine doubles(k, n)
    integer, intent(in) :: k
    integer(8), intent(in) :: n
    integer(8) :: i, state, judged, missed
    real(8) :: x, y, got, worst_at
    real(16) :: want, error, worst
    state = 1442695040888963407_8
    judged = 0
    missed = 0
    worst = 0
    worst_at = 0
    y = 1
    do i = 1, n
      x = real(argument(k, state), 8)
      if (.not. is_in(k, x)) cycle
      if (k > 26) y = real(argument(k, state), 8)
      got = f8(k, x, y)
      want = f16(k, real(x, 16), real(y, 16))
      if (.not. abs(want) <= huge(got) .or. abs(want) < tiny(got)) cycle
      judged = judged + 1
      if (got /= real(want, 8)) missed = missed + 1
      error = abs(got - want) / spacing(real(want, 8))
      if (error > worst) then
        worst = error
        worst_at = x
      end if
    end do
    print '(a12, i3, i12, i12, f16.4, es26.17)', names(k), 8, judged, missed, worst, worst_at
  end subroutine
end program
