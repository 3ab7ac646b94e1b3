! MAXVAL, MINVAL, MAXLOC and MINLOC of NaNs, infinities, equal values and no elements
module m
  use, intrinsic :: ieee_arithmetic
  implicit none
contains
  subroutine show8(name, a, mask)
    character(*), intent(in) :: name
    real(8), intent(in) :: a(:)
    logical, intent(in) :: mask(:)
    print '(a, 4(1x, es10.3), 4i4)', name, maxval(a), minval(a), maxval(a, mask), minval(a, mask), &
      maxloc(a), minloc(a), maxloc(a, mask), minloc(a, mask)
  end subroutine
  subroutine show4(name, a, mask)
    character(*), intent(in) :: name
    real(4), intent(in) :: a(:)
    logical, intent(in) :: mask(:)
    print '(a, 4(1x, es10.3), 4i4)', name, maxval(a), minval(a), maxval(a, mask), minval(a, mask), &
      maxloc(a), minloc(a), maxloc(a, mask), minloc(a, mask)
  end subroutine
  subroutine show16(name, a)
    character(*), intent(in) :: name
    real(16), intent(in) :: a(:)
    print '(a, 2(1x, es10.3), 2i4)', name, real(maxval(a), 8), real(minval(a), 8), maxloc(a), minloc(a)
  end subroutine
  subroutine integers(name, k, mask)
    character(*), intent(in) :: name
    integer, intent(in) :: k(:)
    logical, intent(in) :: mask(:)
    print '(a, 2i12, 4i4)', name, maxval(k), minval(k), maxloc(k), minloc(k), maxloc(k, mask), minloc(k, mask)
  end subroutine
end module

program extremes
  use m
  implicit none
  real(8) :: nan, inf, a(6), c(3, 4)
  logical :: none(6), some(6)
  nan = ieee_value(1d0, ieee_quiet_nan)
  inf = ieee_value(1d0, ieee_positive_inf)
  none = .false.
  some = [.false., .true., .true., .false., .true., .false.]
  a = [3d0, nan, 5d0, -2d0, 5d0, nan]
  call all_of('numbers   ', a)
  a = nan
  call all_of('NaNs      ', a)
  a = -inf
  call all_of('below     ', a)
  a = inf
  call all_of('above     ', a)
  a = [nan, nan, -inf, nan, inf, nan]
  call all_of('mixed     ', a)
  a = [nan, -inf, nan, -inf, nan, -inf]
  call all_of('NaN, below', a)
  a = [inf, nan, inf, nan, inf, nan]
  call all_of('above, NaN', a)
  call show8('empty     ', a(4:3), some(4:3))
  call show4('empty     ', real(a(4:3)), some(4:3))
  call integers('integers  ', [4, -7, 9, 9, -7, 0], some)
  call integers('least     ', [-huge(1) - 1, -huge(1) - 1, -huge(1) - 1], some(1:3))
  call integers('greatest  ', [huge(1), huge(1), huge(1)], some(1:3))
  call integers('none      ', [integer ::], some(1:0))
  c = reshape([nan, 1d0, -inf, nan, 2d0, inf, nan, nan, nan, -inf, -inf, nan], [3, 4])
  print '(a, 7(1x, es10.3))', 'columns', maxval(c, 1), maxval(c, 2)
  print '(a, 7(1x, es10.3))', 'columns', minval(c, 1), minval(c, 2)
  print '(a, 7i4)', 'places ', maxloc(c, 1), maxloc(c, 2)
  print '(a, 7i4)', 'places ', minloc(c, 1), minloc(c, 2)
  print '(a, 4i4)', 'place  ', maxloc(c), minloc(c)
contains
  subroutine all_of(name, a)
    character(*), intent(in) :: name
    real(8), intent(in) :: a(6)
    call show8(name, a, some)
    call show8(name, a, none)
    call show4(name, real(a), some)
    call show16(name, real(a, 16))
  end subroutine
end program
