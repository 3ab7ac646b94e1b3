! told at 5:5: The DO variable 'i' is assigned inside the loop
program fault
  integer :: i
  do i = 1, 3
    i = i + 1
  end do
end program
