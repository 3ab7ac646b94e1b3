! told at 6:18, where i = 6: Substring out of bounds: upper bound (6) of 's' exceeds string length (5)
program fault
  character(len=5) :: s = 'abcde'
  integer :: i
  do i = 1, 6
    print *, s(i:i)
  end do
end program
