! told at 8:17, where k = 3, j = 1, i = 1: Index '3' of dimension 3 of array 'a' above upper bound of 2
program fault
  integer :: a(2, 2, 2) = 0, i, j, k, n
  n = 3
  do i = 1, 1
    do j = 1, 1
      do k = 1, n
        a(i, j, k) = k
      end do
    end do
  end do
  print *, a
end program
