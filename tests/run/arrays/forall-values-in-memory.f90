! FORALL whose values need memory: constructors with implied DO, functions that return arrays, elemental functions
! over arrays, characters and structures by whole sections.
module parts
  implicit none
  type owner
    integer, allocatable :: v(:)
  end type owner
contains
  pure function line(n, k) result(r)
    integer, intent(in) :: n, k
    integer :: r(n)
    integer :: i
    r = [(i * k, i = 1, n)]
  end function line

  elemental integer function twice(i)
    integer, intent(in) :: i
    twice = 2 * i
  end function twice
end module parts

program main
  use parts
  implicit none
  integer :: i, j, l, m, a(3, 4), b(4, 4)
  character(3) :: c(3, 2), d(2)
  type(owner) :: x(2), y(2), z(2)
  forall (l = 1:4) a(:, l) = [(i * l + 100, i = 1, 3)]
  print '(12i4)', a
  forall (l = 1:4, mod(l, 2) == 0) a(:, l) = line(3, l)
  print '(12i4)', a
  forall (l = 1:4) a(:, l) = twice(a(:, 5 - l))
  print '(12i4)', a
  forall (l = 1:4) b(l:4, l) = [(j, j = l, 4)]
  forall (l = 2:4) b(1:l-1, l) = reshape([((i * 10 + l, i = 1, 1), m = 1, l - 1)], [l - 1])
  print '(16i4)', b
  c = reshape(['abc', 'def', 'ghi', 'jkl', 'mno', 'pqr'], [3, 2])
  d = ['xyz', 'uvw']
  forall (i = 1:2) c(2:3, i) = c(3:2:-1, 3 - i)
  print '(6a4)', c
  forall (i = 1:2) c(:, i) = d(i)
  print '(6a4)', c
  x(1) = owner([1, 2, 3])
  x(2) = owner([4, 5])
  forall (i = 1:2) y(i) = x(3 - i)
  forall (i = 1:2) y(i) = y(3 - i)
  forall (i = 1:2) z(i) = owner(y(i)%v + 1)
  x(1)%v(1) = 100
  print *, x(1)%v, x(2)%v
  print *, y(1)%v, y(2)%v
  print *, z(1)%v, z(2)%v
end program main
