! EXIT and CYCLE of named outer loops from inside inner ones.
program do_exit_cycle_names
  implicit none
  integer :: i, j, k, n
  n = 0
  outer: do i = 1, 6
    middle: do j = 1, 6
      inner: do k = 1, 6
        if (k == 4) exit inner
        if (j == 3 .and. k == 2) cycle middle
        if (i == 2 .and. j == 2) cycle outer
        if (i == 5) exit outer
        n = n + 1
      end do inner
      n = n + 100
    end do middle
    n = n + 10000
  end do outer
  print *, n, i, j, k
end program
