! hard-max-of-absolutes: the greatest absolute value, with NaNs, infinities and zeros of both signs at every place.
program hard_max_of_absolutes
  use, intrinsic :: iso_fortran_env, only: real32, real64, int32, int64
  use, intrinsic :: ieee_arithmetic
  implicit none
  integer, parameter :: n = 23
  real(real64) :: a(n), b(n), special(6), starts(5)
  real(real32) :: c(n)
  integer :: at, kind_of, start, wrong, other

  special = [ieee_value(1.0d0, ieee_quiet_nan), -ieee_value(1.0d0, ieee_quiet_nan), &
             ieee_value(1.0d0, ieee_positive_inf), ieee_value(1.0d0, ieee_negative_inf), 0.0d0, -0.0d0]
  starts = [0.0d0, -0.0d0, 5.0d0, -1.0d0, special(1)]
  wrong = 0
  do start = 1, 5
    do kind_of = 1, 6
      do at = 1, n
        ! Every second time there is another one in front of it, which it makes forgotten if it is a NaN.
        other = max(1, at - 5)
        call fill(a, b)
        if (mod(at, 2) == 0) b(other) = special(mod(kind_of, 6) + 1)
        b(at) = special(kind_of)
        call compare(starts(start))
        call compare_short(real(starts(start), real32))
        ! Nothing but zeros besides.
        a = 0.0d0
        b = special(6)
        b(at) = special(kind_of)
        call compare(starts(start))
      end do
    end do
  end do
  print *, 'wrong', wrong

contains

  subroutine fill(a, b)
    real(real64), intent(out) :: a(:), b(:)
    integer :: i
    do i = 1, n
      a(i) = 0.25d0 * mod(7 * i, 5)
      b(i) = a(i) - 0.5d0 * mod(11 * i, 13)
    end do
  end subroutine fill

  subroutine compare(from)
    real(real64), intent(in) :: from
    real(real64) :: m, both, before, x(n)
    real(real64), volatile :: one
    integer :: i
    one = from
    do i = 1, n
      one = max(one, abs(b(i) - a(i)))
    end do
    m = from
    do i = 1, n
      m = max(m, abs(b(i) - a(i)))
    end do
    if (.not. same(m, one)) wrong = wrong + 1
    ! With a store of what was read beside it.
    both = from
    x = a
    do i = 1, n
      both = max(both, abs(b(i) - x(i)))
      x(i) = b(i)
    end do
    if (.not. same(both, one)) wrong = wrong + 1
    ! Two in one loop, of which one is the least.
    before = m
    m = from
    both = 3.0d0
    one = 3.0d0
    do i = 1, n
      one = min(one, abs(b(i) - a(i)))
    end do
    do i = 1, n
      m = max(m, abs(b(i) - a(i)))
      both = min(both, abs(b(i) - a(i)))
    end do
    if (.not. same(both, one)) wrong = wrong + 1
    if (.not. same(m, before)) wrong = wrong + 1
  end subroutine compare

  subroutine compare_short(from)
    real(real32), intent(in) :: from
    real(real32) :: m
    real(real32), volatile :: one
    integer :: i
    c = real(b, real32)
    one = from
    do i = 1, n
      one = max(one, abs(c(i)))
    end do
    m = from
    do i = 1, n
      m = max(m, abs(c(i)))
    end do
    if (.not. (m /= m .and. one /= one)) then
      if (transfer(m, 0_int32) /= transfer(one, 0_int32)) wrong = wrong + 1
    end if
  end subroutine compare_short

  logical function same(x, y)
    real(real64), intent(in) :: x, y
    same = transfer(x, 0_int64) == transfer(y, 0_int64) .or. (x /= x .and. y /= y)
  end function same
end program hard_max_of_absolutes
