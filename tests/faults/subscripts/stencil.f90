! told at 7:25, where i = 4: Index '5' of dimension 1 of array 'a' above upper bound of 4
program fault
  real :: a(4) = 1, b(4)
  integer :: i, n
  n = 4
  do i = 2, n
    b(i) = a(i - 1) + a(i + 1)
  end do
  print *, b
end program
