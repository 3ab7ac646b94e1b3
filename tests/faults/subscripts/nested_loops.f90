! told at 8:12, where i = 1, j = 5: Index '5' of dimension 2 of array 'a' above upper bound of 4
program fault
  integer :: i, j
  real :: a(4, 4)
  a = 0
  do j = 1, 5
    do i = 1, 4
      a(i, j) = a(i, j) + i
    end do
  end do
  print *, a
end program
