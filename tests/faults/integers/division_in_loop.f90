! told at 6:13, where i = 0: Integer division by zero
program fault
  integer :: i, s
  s = 0
  do i = -2, 2
    s = s + 12 / i
  end do
  print *, s
end program
