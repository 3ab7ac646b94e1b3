! told at 5:18: DO step value is zero
program fault
  integer(1) :: i, n
  n = 0
  do i = 1, 100, n
    print *, i
  end do
end program
