! REDISTRIBUTE under IF, in loops, of templates with aligned arrays.
program remap
  integer, parameter :: n = 12
  real :: a(n, n), b(n, n), c(n), d(n)
!HPF$ TEMPLATE t(n, n)
!HPF$ DYNAMIC t, a, b, c, d
!HPF$ ALIGN WITH t :: a, b
!HPF$ DISTRIBUTE t(BLOCK, *)
!HPF$ ALIGN c(i) WITH t(i, *)
!HPF$ DISTRIBUTE d(CYCLIC)
  integer :: i, j, k
  real :: s
  do j = 1, n
    do i = 1, n
      a(i, j) = i + 10 * j
      b(i, j) = i * j
    end do
    c(j) = j
    d(j) = -j
  end do
  do k = 1, 4
    ! Sweep along the second dimension, then along the first.
    do j = 2, n
      do i = 1, n
        a(i, j) = a(i, j) + 0.5 * a(i, j - 1) - b(i, j)
      end do
    end do
!HPF$ REDISTRIBUTE t(*, BLOCK)
    do j = 1, n
      do i = 2, n
        a(i, j) = a(i, j) + 0.25 * a(i - 1, j) + c(i)
      end do
    end do
    if (mod(k, 2) == 0) then
!HPF$ REDISTRIBUTE t(CYCLIC(2), *)
      do i = 1, n
        c(i) = c(i) + a(i, 1)
      end do
    else
!HPF$ REDISTRIBUTE d(BLOCK)
      d = d + 1
    end if
    do j = 1, n
      do i = 1, n
        b(i, j) = b(i, j) + a(i, j) / (1 + k) + d(i)
      end do
      c(j) = c(j) + b(j, j)
    end do
!HPF$ REDISTRIBUTE t(BLOCK, *)
    do i = 1, n
      d(i) = d(i) + c(n + 1 - i)
    end do
  end do
  s = 0
  do j = 1, n
    do i = 1, n
      s = s + a(i, j) - b(i, j)
    end do
  end do
  print *, s
  print '(6es12.4)', a, b, c, d
end program
