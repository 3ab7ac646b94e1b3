! Loops over INTEGER*1, *2 and *8 variables, with bounds at the edge of kinds.
program do_int_kinds
  implicit none
  integer(kind=1) :: i1
  integer(kind=2) :: i2
  integer(kind=8) :: i8, s
  s = 0
  do i1 = 120, 126
    s = s + i1
  end do
  print *, s, i1
  do i2 = -32767, 20000, 16000
    s = s + i2
  end do
  print *, s, i2
  do i8 = 5000000000_8, 5000000010_8, 5_8
    s = s + i8
  end do
  print *, s, i8
end program
