! Arguments of intrinsic functions that do not go together.
program arguments
  character(2) :: a = 'ab'
  character(3) :: b = 'abc'
  print *, merge(a, b, .true.), merge(a, 'xy', .false.)
  print *, iand(z'12', z'34'), ior(z'12', 3)
end program
