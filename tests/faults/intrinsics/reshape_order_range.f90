! told at 6:51, where k = 2: Value 3 out of range in ORDER argument to RESHAPE intrinsic
program fault
  integer :: order(2), b(2, 3), k
  do k = 1, 2
    order = [k, 2 * k + 1 - k]
    b = reshape([1, 2, 3, 4, 5, 6], [2, 3], order=order)
  end do
  print *, b
end program
