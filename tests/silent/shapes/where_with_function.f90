! WHERE, ELSEWHERE with masks of one shape, and of an allocatable.
program right
  real, allocatable :: a(:), b(:)
  allocate (a(4), b(4))
  a = (/ 1.0, -1.0, 4.0, 0.0 /)
  b = 0
  where (a > 0)
    b = sqrt(a)
  elsewhere (a < 0)
    b = -a
  elsewhere
    b = 9
  end where
  print *, b
end program
