! told at 4:16: The step of a DO is not 0
program fault
  integer :: i
  do i = 1, 3, 0
    print *, i
  end do
end program
