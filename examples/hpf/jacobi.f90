! jacobi: Laplace's equation on a square by Jacobi's method, 256 x 256 points.
!
! Algorithm: C. G. J. Jacobi (1845); the program is the usual example of High
! Performance Fortran texts (C. H. Koelbel et al., "The High Performance Fortran
! Handbook", 1994): a five-point average into a second array, the largest change,
! and the copy back. Both dimensions are distributed in blocks.
program jacobi
  implicit none
  integer, parameter :: n = 256
  integer, parameter :: maxit = 4000
  double precision, parameter :: eps = 1.0d-2
  double precision :: a(n, n), b(n, n), change, total
  integer :: i, j, iter
!HPF$ PROCESSORS procs(4, 4)
!HPF$ DISTRIBUTE a(BLOCK, BLOCK) ONTO procs
!HPF$ ALIGN b(i, j) WITH a(i, j)

  ! A cold plate, hot along its first column and warm along the last row.
  do j = 1, n
    do i = 1, n
      a(i, j) = 0.0d0
    end do
  end do
  do i = 1, n
    a(i, 1) = 100.0d0
  end do
  do j = 1, n
    a(n, j) = 100.0d0 - 75.0d0 * dble(j - 1) / dble(n - 1)
  end do

  do iter = 1, maxit
!HPF$ INDEPENDENT, NEW(i)
    do j = 2, n - 1
!HPF$ INDEPENDENT
      do i = 2, n - 1
        b(i, j) = 0.25d0 * (a(i - 1, j) + a(i + 1, j) + a(i, j - 1) + a(i, j + 1))
      end do
    end do

    change = 0.0d0
!HPF$ INDEPENDENT, NEW(i), REDUCTION(change)
    do j = 2, n - 1
      do i = 2, n - 1
        change = max(change, abs(b(i, j) - a(i, j)))
      end do
    end do

!HPF$ INDEPENDENT, NEW(i)
    do j = 2, n - 1
!HPF$ INDEPENDENT
      do i = 2, n - 1
        a(i, j) = b(i, j)
      end do
    end do

    if (mod(iter, 500) == 0) print *, 'iteration', iter, ' change', change
    if (change < eps) exit
  end do

  if (iter > maxit) then
    print *, 'no convergence after', maxit, ' iterations'
  else
    print *, 'converged in iteration', iter
  end if

  total = 0.0d0
  do j = 1, n
    do i = 1, n
      total = total + a(i, j)
    end do
  end do
  print *, 'sum ', total
  do i = 16, n, 80
    print *, i, a(i, i), a(i, n + 1 - i)
  end do
end program jacobi
