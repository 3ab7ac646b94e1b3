! The DO variable after a full loop, after EXIT, and after a jump out.
program do_variable_after
  implicit none
  integer :: i, j
  do i = 1, 10
  end do
  print *, i
  do i = 1, 10
    if (i * i > 30) exit
  end do
  print *, i
  do 20 j = 2, 9, 3
    if (j == 8) goto 30
20 continue
30 print *, j
  do 40 j = 2, 9, 3
40 continue
  print *, j
end program
