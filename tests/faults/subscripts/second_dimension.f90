! told at 9:12, where j = 5, i = 1: Index '5' of dimension 2 of array 'b' above upper bound of 3
program fault
  real :: b(2, 3)
  integer :: i, j, n
  n = 5
  b = 0
  do i = 1, 2
    do j = 1, n, 2
      b(i, j) = i + j
    end do
  end do
  print *, b
end program
