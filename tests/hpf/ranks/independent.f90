! INDEPENDENT with NEW and REDUCTION, ON HOME.
program independent
  integer, parameter :: n = 12
  real :: a(n), b(n), t, s
!HPF$ DISTRIBUTE a(BLOCK)
!HPF$ ALIGN b(i) WITH a(i)
  integer :: i, j
!HPF$ INDEPENDENT
  do i = 1, n
    a(i) = i
  end do
!HPF$ INDEPENDENT, NEW(t)
  do i = 1, n
    t = a(i) * 2
    b(i) = t + 1 / t
  end do
  s = 0
!HPF$ INDEPENDENT, REDUCTION(s)
  do i = 1, n
    s = s + b(i)
  end do
!HPF$ INDEPENDENT, NEW(j, t), ON HOME(a(i))
  do i = 2, n - 1
    t = 0
    do j = 1, 3
      t = t + b(i + j - 2)
    end do
    a(i) = t / 3
  end do
  print '(6f10.4)', a, b, s
end program
