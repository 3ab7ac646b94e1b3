! WHERE with characters and complex numbers; scalars and sections as sources.
program where_array_function
  implicit none
  character(len=3) :: s(4)
  complex :: z(3)
  integer :: a(4), b(8), i
  s = (/ 'one', 'two', 'six', 'ten' /)
  a = (/ 1, 2, 6, 10 /)
  where (a > 2) s = 'big'
  print *, s
  where (s == 'big')
    a = 0
  elsewhere
    a = a * 100
  end where
  print *, a
  z = (/ (1.0, 1.0), (0.0, 0.0), (-2.0, 0.5) /)
  where (abs(z) > 0.0) z = 1.0 / z
  print *, z
  b = (/ (i, i = 1, 8) /)
  where (a == 0) b(1:8:2) = b(2:8:2)
  where (b(8:1:-1) > 4) b = -b
  print *, b
end program
