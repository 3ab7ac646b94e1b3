! GOTO out of one, two and three loops; each loop variable keeps its value.
program goto_out_of_loop
  implicit none
  integer :: i, j, k, n, case
  do case = 1, 4
    n = 0
    do i = 1, 5
      do j = 1, 5
        do k = 1, 5
          n = n + 1
          if (case == 1 .and. k == 3) go to 10
          if (case == 2 .and. j == 2) go to 20
          if (case == 3 .and. i == 3) go to 30
        end do
10      continue
      end do
20    n = n + 1000
    end do
30  print *, case, n, i, j, k
  end do
end program
