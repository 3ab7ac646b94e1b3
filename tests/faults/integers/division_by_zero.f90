! told at 6:13, where i = 0: Integer division by zero
program fault
  integer :: i, n
  n = 1
  do i = 2, 0, -1
    n = n + 5/i
  end do
  print *, n
end program
