! told at 5:17: DO step value is zero
program fault
  integer :: i, n
  n = 0
  do i = 10, 1, n
    print *, i
  end do
end program
