! Small arrays and structures whose elements become registers, and those that must not: with subscripts that vary, passed, equivalenced, targets, results
module types
  implicit none
  type point
    real(8) :: x, y, z
    integer :: tag
  end type
  type pair
    type(point) :: a, b
  end type
contains
  real(8) function distance(p, q)
    type(point), intent(in) :: p, q
    real(8) :: d(3)
    type(pair) :: both
    integer :: i
    both%a = p
    both%b = q
    d(1) = both%a%x - both%b%x
    d(2) = both%a%y - both%b%y
    d(3) = both%a%z - both%b%z
    distance = 0
    do i = 1, 3
      distance = distance + d(i)*d(i)
    end do
    if (both%a%tag > both%b%tag) distance = -distance
  end function
  function cross(a, b) result(c)
    real(8), intent(in) :: a(3), b(3)
    real(8) :: c(3)
    c(1) = a(2)*b(3) - a(3)*b(2)
    c(2) = a(3)*b(1) - a(1)*b(3)
    c(3) = a(1)*b(2) - a(2)*b(1)
  end function
  subroutine passes(k, s)
    integer, intent(in) :: k
    real(8), intent(inout) :: s
    real(8) :: passed(3), varies(3), kept(2, 2)
    integer :: i
    passed(1) = k
    passed(2) = k + 1
    passed(3) = k + 2
    call double(passed(2), 2)
    varies(1) = s
    varies(2) = 1
    varies(3) = 2
    varies(mod(k, 3) + 1) = 7
    kept = 0
    do i = 1, 5
      kept(1, 1) = kept(1, 1) + kept(2, 2)
      if (i > k) kept(2, 2) = kept(2, 2) + 1
      if (kept(1, 1) > 2) exit
    end do
    s = s + passed(1) + passed(2) + passed(3) + varies(1) + varies(2) + varies(3) + kept(1, 1)*10 + kept(1, 2)
  end subroutine
  subroutine double(a, n)
    integer, intent(in) :: n
    real(8), intent(inout) :: a(n)
    a = 2*a
  end subroutine
end module
program elements
  use types
  implicit none
  type(point) :: p, q
  real(8) :: s, v(3), w(3), x, target_of(2)
  integer :: i, halves(2), counts(3)
  complex(8) :: z(2)
  logical :: seen(3)
  real(8), target :: t(2)
  real(8), pointer :: u(:)
  equivalence (x, halves)
  p = point(1, 2, 3, 4)
  s = 0
  counts(1) = 0; counts(2) = 0; counts(3) = 0
  z(1) = (1d0, 0d0); z(2) = (0d0, 1d0)
  seen = .false.
  do i = 1, 20
    q = point(i, i*0.5d0, 3*i, i)
    if (distance(p, q) < 0) then
      counts(1) = counts(1) + 1
    else if (mod(i, 3) == 0) then
      counts(2) = counts(2) + i
      seen(2) = .true.
    else
      counts(3) = counts(3) + 1
      seen(3) = i > 100
    end if
    s = s + distance(p, q)
    call passes(i, s)
    v(1) = i; v(2) = s; v(3) = 1
    w = cross(v, [1d0, 2d0, 3d0])
    s = s + w(1) - w(3)*0.125d0
    z(1) = z(1)*z(2)
    z(2) = conjg(z(2)) + z(1)/4
  end do
  print '(es20.10)', s
  print *, counts, seen
  print '(4f12.6)', z
  x = 1
  halves(1) = 5
  print *, x > 1d0, halves(2) == 1072693248
  u => t
  t(1) = 1; t(2) = 2
  u(2) = 5
  print *, t(1) + t(2)
  target_of(1) = 3
  target_of(2) = target_of(1) + t(2)
  print *, target_of(2)
end program
