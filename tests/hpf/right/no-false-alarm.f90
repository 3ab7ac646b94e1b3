! Loops that are independent, though a simple test might doubt it.
program right
  implicit none
  integer :: i, j, k, idx(8)
  real :: a(16), b(16, 16), c(0:17), t(4), s, m
!HPF$ DISTRIBUTE (BLOCK) :: a
  idx = [(i, i = 8, 1, -1)]
  a = 1; b = 1; c = 1
!HPF$ INDEPENDENT
  do i = 1, 8
    a(2*i) = a(2*i - 1)
  end do
!HPF$ INDEPENDENT
  do i = 1, 8
    a(i) = a(i + 8)
  end do
!HPF$ INDEPENDENT
  do i = 1, 8
    a(idx(i)) = i
  end do
!HPF$ INDEPENDENT, NEW(t, k)
  do j = 1, 16
    do k = 1, 4
      t(k) = k
    end do
    b(1, j) = sum(t)
!HPF$ INDEPENDENT
    do i = 2, 16
      b(i, j) = b(i, j) + 1
    end do
  end do
!HPF$ INDEPENDENT
  do i = 1, 16, 2
    c(i) = c(i - 1) + c(i + 1)
  end do
!HPF$ INDEPENDENT
  do i = 1, 1
    s = a(i)
  end do
  m = -1
!HPF$ INDEPENDENT, REDUCTION(m)
  do i = 1, 16
    if (a(i) > m) m = a(i)
  end do
!HPF$ INDEPENDENT
  do j = 2, 16
    do i = 2, 16
      b(i, j) = b(i - 1, j)
    end do
  end do
  k = 3
  print *, nint(sum(a)), nint(sum(b)), nint(sum(c)), nint(s), nint(m), k
end program
