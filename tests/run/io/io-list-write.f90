! List-directed output: widths of all kinds, long lines, strings next to each other, DELIM=, arrays, special values.
program list_write
  use iso_fortran_env
  real(8) :: z
  integer :: i
  print *, 1_int8, 2_int16, 3_int32, 4_int64
  print *, 1.0, 1d0, -1e-20, 1d300, 0.1, 123456.7
  print *, .true., .false._1
  print *, (1.0, 2.0), (1d0, -2d0)
  print *, 'a', 'b', 1, 'c'
  print *, 'ab' // 'cd', ' ', ''
  print *, [(i, i = 1, 30)]
  print *, [(real(i), i = 1, 12)]
  z = 0
  print *, -z, 1 / (z + tiny(z)) > 1
  write (*, *, delim='quote') 'it''s "x"', 1
  write (*, *, delim='apostrophe') 'it''s', 'b'
  print *, repeat('x', 100), repeat('y', 50)
  print *
  print *, [character(3) :: 'a', 'bc'], 5
  print *, huge(1), -huge(1) - 1, huge(1_8)
  print *, tiny(1.0), huge(1.0), epsilon(1d0)
end program
