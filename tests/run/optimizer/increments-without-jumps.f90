! Conditional increments: by one, by other constants, down, of several variables, under conditions with operands that must not be evaluated, in both kinds
program increments
  implicit none
  integer :: a(100), i, n, below, above, both, down, guarded, seen
  integer(8) :: wide
  logical :: is_odd(100)
  real(8) :: x(100)
  n = 7
  do i = 1, 100
    n = mod(n*75 + 74, 65537)
    a(i) = mod(n, 200) - 100
    is_odd(i) = mod(i*n, 3) == 1
    x(i) = a(i)/3d0
  end do
  x(50) = x(1)*0d0
  below = 0; above = 0; both = 0; down = 0; guarded = 0; wide = 2_8**40; seen = 0
  do i = 1, 100
    if (a(i) < 0) below = below + 1
    if (a(i) > 10) then
      above = above + 5
      both = both + 1
      wide = wide - 3
    end if
    if (is_odd(i)) seen = seen + 1
    if (.not. is_odd(i)) down = down - 1
    if (a(i) >= -20 .and. a(i) <= 20) both = both + 100
    if (i > 1 .and. i < 100) then
      if (a(i - 1) < a(i + 1)) guarded = guarded + 1
    end if
    if (x(i) > 1d0) wide = wide + 4294967296_8
    if (.not. x(i) > 1d0) seen = seen + 1000
  end do
  print *, below, above, both, down, guarded, seen, wide
  call nested(a, 100)
contains
  subroutine nested(a, n)
    integer, intent(in) :: n, a(n)
    integer :: i, j, inversions, equal
    inversions = 0; equal = 0
    do i = 1, n
      do j = i + 1, n
        if (a(i) > a(j)) inversions = inversions + 1
        if (a(i) == a(j)) equal = equal + 1
      end do
    end do
    print *, inversions, equal, count(a > 0), count(a(1:n:3) /= 7)
  end subroutine
end program
