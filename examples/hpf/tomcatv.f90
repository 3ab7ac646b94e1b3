! tomcatv: a vectorised mesh generation program, 257 x 257 points.
!
! Algorithm: the elliptic grid generation of J. F. Thompson, Z. U. A. Warsi and
! C. W. Mastin, "Numerical Grid Generation" (1985), in the form made known by
! the benchmark 101.tomcatv of SPEC CPU: central differences of the mesh
! (x, y), a residual, and one tridiagonal solve per mesh line and iteration.
! The arrays (x, y, rx, ry, aa, dd, d), the loop nests and their order are those
! of the benchmark; the text and the starting mesh are our own.
!
! The tridiagonal systems run along the second dimension, so the mesh is
! distributed over the first one and every recurrence stays on its processor.
program tomcatv
  implicit none
  integer, parameter :: n = 257
  integer, parameter :: itmax = 400
  double precision, parameter :: rel = 2.0d0 / 0.98d0
  double precision :: x(n, n), y(n, n), rx(n, n), ry(n, n)
  double precision :: aa(n, n), dd(n, n), d(n, n)
  double precision :: rxm(itmax), rym(itmax)
  double precision :: xx, yx, xy, yy, a, b, c
  double precision :: pxx, qxx, pyy, qyy, pxy, qxy, r
  double precision :: s, t, bump, sumx, sumy
  integer :: i, j, iter

!HPF$ PROCESSORS procs(16)
!HPF$ TEMPLATE mesh(257, 257)
!HPF$ ALIGN (i, j) WITH mesh(i, j) :: x, y, rx, ry, aa, dd, d
!HPF$ DISTRIBUTE mesh(BLOCK, *) ONTO procs

  ! The starting mesh: a channel with a curved floor, its inner points pulled
  ! away from where they belong so that the iteration has work to do.
!HPF$ INDEPENDENT, NEW(i, s, t, bump)
  do j = 1, n
    do i = 1, n
      s = dble(i - 1) / dble(n - 1)
      t = dble(j - 1) / dble(n - 1)
      bump = s * s * (1.0d0 - s) * (1.0d0 - s)
      x(i, j) = 2.0d0 * s + 0.30d0 * t * s * (1.0d0 - s)
      y(i, j) = t + (1.0d0 - t) * 3.0d0 * bump
      if (i > 1 .and. i < n .and. j > 1 .and. j < n) then
        x(i, j) = x(i, j) + 0.8d0 * s * (1.0d0 - s) * t * (1.0d0 - t)
        y(i, j) = y(i, j) - 0.6d0 * bump * t * (1.0d0 - t)
      end if
    end do
  end do

  do iter = 1, itmax

    ! Coefficients of the difference equations and the right-hand sides.
!HPF$ INDEPENDENT, NEW(i, xx, yx, xy, yy, a, b, c, pxx, qxx, pyy, qyy, pxy, qxy)
    do j = 2, n - 1
      do i = 2, n - 1
        xx = x(i + 1, j) - x(i - 1, j)
        yx = y(i + 1, j) - y(i - 1, j)
        xy = x(i, j + 1) - x(i, j - 1)
        yy = y(i, j + 1) - y(i, j - 1)
        a = 0.25d0 * (xy * xy + yy * yy)
        b = 0.25d0 * (xx * xx + yx * yx)
        c = 0.125d0 * (xx * xy + yx * yy)
        aa(i, j) = -b
        dd(i, j) = b + b + a * rel
        pxx = x(i + 1, j) - 2.0d0 * x(i, j) + x(i - 1, j)
        qxx = y(i + 1, j) - 2.0d0 * y(i, j) + y(i - 1, j)
        pyy = x(i, j + 1) - 2.0d0 * x(i, j) + x(i, j - 1)
        qyy = y(i, j + 1) - 2.0d0 * y(i, j) + y(i, j - 1)
        pxy = x(i + 1, j + 1) - x(i + 1, j - 1) - x(i - 1, j + 1) + x(i - 1, j - 1)
        qxy = y(i + 1, j + 1) - y(i + 1, j - 1) - y(i - 1, j + 1) + y(i - 1, j - 1)
        rx(i, j) = a * pxx + b * pyy - c * pxy
        ry(i, j) = a * qxx + b * qyy - c * qxy
      end do
    end do

    ! The largest residual of this iteration.
    rxm(iter) = 0.0d0
    rym(iter) = 0.0d0
    do j = 2, n - 1
      do i = 2, n - 1
        rxm(iter) = max(rxm(iter), abs(rx(i, j)))
        rym(iter) = max(rym(iter), abs(ry(i, j)))
      end do
    end do

    ! Forward elimination, one system per i, all of them side by side.
!HPF$ INDEPENDENT
    do i = 2, n - 1
      d(i, 2) = 1.0d0 / dd(i, 2)
    end do
    do j = 3, n - 1
!HPF$ INDEPENDENT, NEW(r)
      do i = 2, n - 1
        r = aa(i, j) * d(i, j - 1)
        d(i, j) = 1.0d0 / (dd(i, j) - aa(i, j - 1) * r)
        rx(i, j) = rx(i, j) - rx(i, j - 1) * r
        ry(i, j) = ry(i, j) - ry(i, j - 1) * r
      end do
    end do

    ! Back substitution.
!HPF$ INDEPENDENT
    do i = 2, n - 1
      rx(i, n - 1) = rx(i, n - 1) * d(i, n - 1)
      ry(i, n - 1) = ry(i, n - 1) * d(i, n - 1)
    end do
    do j = n - 2, 2, -1
!HPF$ INDEPENDENT
      do i = 2, n - 1
        rx(i, j) = (rx(i, j) - aa(i, j) * rx(i, j + 1)) * d(i, j)
        ry(i, j) = (ry(i, j) - aa(i, j) * ry(i, j + 1)) * d(i, j)
      end do
    end do

    ! The new mesh.
!HPF$ INDEPENDENT, NEW(i)
    do j = 2, n - 1
      do i = 2, n - 1
        x(i, j) = x(i, j) + rx(i, j)
        y(i, j) = y(i, j) + ry(i, j)
      end do
    end do

  end do

  do iter = 1, itmax, 50
    print *, 'iteration', iter, ' residuals', rxm(iter), rym(iter)
  end do
  print *, 'iteration', itmax, ' residuals', rxm(itmax), rym(itmax)

  sumx = 0.0d0
  sumy = 0.0d0
  do j = 1, n
    do i = 1, n
      sumx = sumx + x(i, j)
      sumy = sumy + y(i, j)
    end do
  end do
  print *, 'sum of x', sumx
  print *, 'sum of y', sumy
  print *, 'centre  ', x(n / 2 + 1, n / 2 + 1), y(n / 2 + 1, n / 2 + 1)
end program tomcatv
