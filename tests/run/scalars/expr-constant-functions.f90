! Functions of arrays in constant expressions: FINDLOC, NORM2, TRANSFER through LOGICAL, extremes of no characters,
! substrings of sections.
program constants
  implicit none
  integer, parameter :: a(2, 3) = reshape([1, 2, 2, 2, -9, 6], [2, 3])
  integer, parameter :: first(2) = findloc(a, 2), last(2) = findloc(a, 2, back=.true.)
  integer, parameter :: rows(2) = findloc(a, 2, dim=2), columns(3) = findloc(a, 2, dim=1)
  integer, parameter :: masked(2) = findloc(a, 2, mask=a > 2), one = findloc([5, 7, 5], 5, dim=1, back=.true.)
  character(2), parameter :: t(2, 2) = reshape(['ab', 'cd', 'ef', 'ab'], [2, 2])
  integer, parameter :: where_ab(2) = findloc(t, 'ab', back=.true.)
  logical, parameter :: l(3) = [.false., .true., .true.]
  integer, parameter :: truth = findloc(l, .true., dim=1)
  real, parameter :: norm = norm2([3., 4.]), norms(2) = norm2(reshape([3., 4., 6., 8.], [2, 2]), dim=1)
  integer, parameter :: through = transfer(transfer(42, .true.), 0)
  real, parameter :: parts(1) = transfer(transfer(1.5, [.true.]), [0.0], 1)
  character(3), parameter :: c(2) = ['abc', 'xyz']
  character(3), parameter :: least(2) = minval(reshape(c, [2, 1]), dim=2, mask=reshape([.true., .false.], [2, 1]))
  character(2), parameter :: cut(2) = c(2:1:-1)(2:3)
  integer, parameter :: empty = size(c(2:1)(1:2)), length = len(c(1:2)(3:3))
  print *, first, last
  print *, rows, columns
  print *, masked, one, where_ab, truth
  print *, norm, norms
  print *, through, parts
  print *, least(1), iachar(least(2)(1:1))
  print *, cut, empty, length
end program
