! told at 8:22, where j = 1, i = 1: Index '0' of dimension 2 of array 'a' below lower bound of 1
program fault
  integer :: i, j
  real :: a(4, 4)
  a = 0
  do i = 1, 4
    do j = 1, i
      a(i, j) = a(i, j - 1) + 1
    end do
  end do
  print *, a
end program
