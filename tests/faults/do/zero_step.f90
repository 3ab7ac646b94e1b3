! told at 5:16: DO step value is zero
program fault
  integer :: i, n
  n = 0
  do i = 1, 3, n
    print *, i
  end do
end program
