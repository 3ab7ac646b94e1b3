! told at 4:13, where j = 0, i = 8, j = 0: Integer division by zero
program fault
  integer :: q, i, j
  q(i, j) = i / j
  do j = 2, -1, -1
    print *, q(8, j)
  end do
end program
