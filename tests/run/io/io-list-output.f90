! List-directed output of every type and kind, alone and mixed.
program io_list_output
  implicit none
  integer(kind=1) :: i1
  integer(kind=2) :: i2
  integer(kind=8) :: i8
  i1 = -5
  i2 = 300
  i8 = -7000000000_8
  print *, i1, i2, 42, i8
  print *, 0.0, 1.0, -1.5, 0.1, 123456.789, 1e7, 1.5e-5, 1e20, 0.00999
  print *, 0d0, 1d0, -1.5d0, 0.1d0, 123456.789d0, 1d16, 1d17, 1d-1, 9.9d-2, 1d300
  print *, .true., .false., .true._1
  print *, (1.0, -2.0), (1d0, 1d-10), (0.0, 1e30)
  print *, 'text', 'next', 1, 'after', 2.5, 'x', .true., 'y'
  print *
  print *, ''
  print *, 'it''s'
end program
