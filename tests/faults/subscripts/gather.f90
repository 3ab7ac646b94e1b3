! told at 7:15, where i = 2: Index '9' of dimension 1 of array 'a' above upper bound of 4
program fault
  real :: a(4) = 1, s
  integer :: list(3) = [1, 9, 2], i
  s = 0
  do i = 1, 3
    s = s + a(list(i))
  end do
  print *, s
end program
