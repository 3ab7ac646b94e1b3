! tomcatv_intrin: the mesh generation of tomcatv.f90 in array syntax.
!
! Algorithm: as in tomcatv.f90 (Thompson, Warsi and Mastin, "Numerical Grid
! Generation", 1985; benchmark 101.tomcatv of SPEC CPU). Every nest is a whole
! array or section assignment; differences along a dimension are written with
! CSHIFT, the residual with MAXVAL. The operations on each mesh point are those
! of tomcatv.f90 in the same order, so both programs print the same figures.
program tomcatv_intrin
  implicit none
  integer, parameter :: n = 257
  integer, parameter :: itmax = 400
  double precision, parameter :: rel = 2.0d0 / 0.98d0
  double precision, dimension(n, n) :: x, y, rx, ry, aa, dd, d
  double precision, dimension(n, n) :: xx, yx, xy, yy, a, b, c
  double precision, dimension(n, n) :: xe, xw, ye, yw
  double precision, dimension(n) :: s, r, bump
  double precision :: rxm(itmax), rym(itmax), t
  double precision :: sumx, sumy
  integer :: i, j, iter, m
  integer :: place(2)

!HPF$ PROCESSORS procs(16)
!HPF$ TEMPLATE mesh(257, 257)
!HPF$ ALIGN (i, j) WITH mesh(i, j) :: x, y, rx, ry, aa, dd, d
!HPF$ ALIGN (i, j) WITH mesh(i, j) :: xx, yx, xy, yy, a, b, c
!HPF$ ALIGN (i, j) WITH mesh(i, j) :: xe, xw, ye, yw
!HPF$ ALIGN (i) WITH mesh(i, *) :: s, r, bump
!HPF$ DISTRIBUTE mesh(BLOCK, *) ONTO procs

  m = n - 1

  forall (i = 1:n) s(i) = dble(i - 1) / dble(n - 1)
  bump = s * s * (1.0d0 - s) * (1.0d0 - s)
  do j = 1, n
    t = dble(j - 1) / dble(n - 1)
    x(:, j) = 2.0d0 * s + 0.30d0 * t * s * (1.0d0 - s)
    y(:, j) = t + (1.0d0 - t) * 3.0d0 * bump
    if (j > 1 .and. j < n) then
      x(2:m, j) = x(2:m, j) + 0.8d0 * s(2:m) * (1.0d0 - s(2:m)) * t * (1.0d0 - t)
      y(2:m, j) = y(2:m, j) - 0.6d0 * bump(2:m) * t * (1.0d0 - t)
    end if
  end do

  do iter = 1, itmax

    ! The neighbours of every point; only the inner points are used below.
    xe = cshift(x, 1, dim=1)
    xw = cshift(x, -1, dim=1)
    ye = cshift(y, 1, dim=1)
    yw = cshift(y, -1, dim=1)
    xx = xe - xw
    yx = ye - yw
    xy = cshift(x, 1, dim=2) - cshift(x, -1, dim=2)
    yy = cshift(y, 1, dim=2) - cshift(y, -1, dim=2)

    a = 0.25d0 * (xy * xy + yy * yy)
    b = 0.25d0 * (xx * xx + yx * yx)
    c = 0.125d0 * (xx * xy + yx * yy)
    aa = -b
    dd = b + b + a * rel

    rx(2:m, 2:m) = a(2:m, 2:m) * (xe(2:m, 2:m) - 2.0d0 * x(2:m, 2:m) + xw(2:m, 2:m)) &
                 + b(2:m, 2:m) * (x(2:m, 3:n) - 2.0d0 * x(2:m, 2:m) + x(2:m, 1:n-2)) &
                 - c(2:m, 2:m) * (x(3:n, 3:n) - x(3:n, 1:n-2) - x(1:n-2, 3:n) + x(1:n-2, 1:n-2))
    ry(2:m, 2:m) = a(2:m, 2:m) * (ye(2:m, 2:m) - 2.0d0 * y(2:m, 2:m) + yw(2:m, 2:m)) &
                 + b(2:m, 2:m) * (y(2:m, 3:n) - 2.0d0 * y(2:m, 2:m) + y(2:m, 1:n-2)) &
                 - c(2:m, 2:m) * (y(3:n, 3:n) - y(3:n, 1:n-2) - y(1:n-2, 3:n) + y(1:n-2, 1:n-2))

    rxm(iter) = maxval(abs(rx(2:m, 2:m)))
    rym(iter) = maxval(abs(ry(2:m, 2:m)))

    ! The tridiagonal systems: a recurrence over columns, each column a vector.
    d(2:m, 2) = 1.0d0 / dd(2:m, 2)
    do j = 3, m
      r(2:m) = aa(2:m, j) * d(2:m, j - 1)
      d(2:m, j) = 1.0d0 / (dd(2:m, j) - aa(2:m, j - 1) * r(2:m))
      rx(2:m, j) = rx(2:m, j) - rx(2:m, j - 1) * r(2:m)
      ry(2:m, j) = ry(2:m, j) - ry(2:m, j - 1) * r(2:m)
    end do
    rx(2:m, m) = rx(2:m, m) * d(2:m, m)
    ry(2:m, m) = ry(2:m, m) * d(2:m, m)
    do j = m - 1, 2, -1
      rx(2:m, j) = (rx(2:m, j) - aa(2:m, j) * rx(2:m, j + 1)) * d(2:m, j)
      ry(2:m, j) = (ry(2:m, j) - aa(2:m, j) * ry(2:m, j + 1)) * d(2:m, j)
    end do

    x(2:m, 2:m) = x(2:m, 2:m) + rx(2:m, 2:m)
    y(2:m, 2:m) = y(2:m, 2:m) + ry(2:m, 2:m)

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

  ! Where the last correction was largest, and how many points still move.
  place = maxloc(abs(rx(2:m, 2:m)))
  print *, 'largest correction at', place + 1
  print *, 'points that move', count(abs(rx(2:m, 2:m)) > 1.0d-6)
end program tomcatv_intrin
