! Negative and non-dividing steps: trip count (m2 - m1 + m3) / m3.
program do_negative_step
  implicit none
  integer :: i, k, step
  do step = -4, -1
    k = 0
    do i = 10, 1, step
      k = k * 10 + mod(i, 10)
    end do
    print *, step, k, i
  end do
  do i = 1, 10, 4
    print *, i
  end do
  print *, 'after', i
  do i = -3, -11, -3
    print *, i
  end do
  print *, 'after', i
end program
