! A step is computed, and is not 0 where the loop runs.
program right
  integer :: i, k, s
  s = 0
  do k = -2, 2
    if (k == 0) cycle
    do i = 0, 4 * k, k
      s = s + 1
    end do
  end do
  print *, s
end program
