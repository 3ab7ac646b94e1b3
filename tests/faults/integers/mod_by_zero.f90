! told at 5:14, where i = 0: Integer division by zero
program fault
  integer :: i
  do i = 3, 0, -1
    print *, mod(7, i)
  end do
end program
