! INDEPENDENT (i), clauses without commas, REDUCTION (op: variables).
! spelling 2
program spelling
  implicit none
  integer :: i, j, k
  real :: a(8), b(8, 8), s, t, m
!HPF$ DISTRIBUTE a(BLOCK)
!HPF$ INDEPENDENT(i)
  do i = 1, 8
    a(i) = i
  end do
!HPF$ INDEPENDENT (j) NEW(i, t)
  do j = 1, 8
    do i = 1, 8
      t = a(i)*j
      b(i, j) = t
    end do
  end do
  s = 0
  m = 0
!HPF$ INDEPENDENT, REDUCTION(+:s) REDUCTION(MAX: m)
  do i = 1, 8
    s = s + b(i, 1)
    m = max(m, b(i, 2))
  end do
  k = 0
!HPF$ INDEPENDENT, REDUCTION(k)
  do i = 1, 8
    if (a(i) > 3) k = k + 1
  end do
  print *, nint(s), nint(m), k
end program
