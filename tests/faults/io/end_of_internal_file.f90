! told at 6:5: End of file
program fault
  integer :: i, k(3)
  character(4) :: s = ' 1 2'
  do i = 1, 2
    read (s, *) k(1:i + 1)
  end do
  print *, k
end program
