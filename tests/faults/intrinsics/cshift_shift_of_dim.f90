! told at 9:19, where d = 2: Incorrect extent in SHIFT argument of CSHIFT intrinsic in dimension 1: is 4, should be 2
program fault
  integer, allocatable :: a(:, :), s(:)
  integer :: d
  allocate (a(2, 4), s(4))
  a = 1
  s = 1
  do d = 1, 2
    a = cshift(a, s, d)
  end do
  print *, a
end program
