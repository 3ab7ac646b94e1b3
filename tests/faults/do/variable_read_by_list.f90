! told at 6:20: The DO variable 'i' is assigned inside the loop
program fault
  integer :: i, v
  character(8) :: s = '1 2'
  do i = 1, 3
    read (s, *) v, i
  end do
  print *, v
end program
