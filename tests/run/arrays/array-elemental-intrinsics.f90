! Elemental intrinsics on whole arrays and sections of several ranks.
program array_elemental_intrinsics
  implicit none
  integer :: i(4), m(2, 2)
  double precision :: x(4)
  logical :: l(4)
  character(len=4) :: s(2)
  x = (/ -1.5d0, 0.0d0, 2.25d0, 9.0d0 /)
  i = nint(x)
  print *, i, int(x), abs(x), sqrt(abs(x))
  print *, max(x, 1.0d0), min(i, 1, 5), mod(i, 3), sign(x, -1.0d0)
  m = reshape(i, (/ 2, 2 /))
  print *, abs(m - 4), dble(m) / 2.0d0, iand(m, 3), merge(m, -m, m > 0)
  l = x > 0.5d0
  print *, l, .not. l, l .eqv. (/ .true., .true., .false., .false. /)
  s = (/ ' ab ', 'cd  ' /)
  print *, adjustl(s), len_trim(s), index(s, 'b'), ichar(s(:)(2:2))
  print *, x(4:1:-1) ** 2, 2 ** abs(i), floor(-x), dim(x, 1.0d0)
end program
