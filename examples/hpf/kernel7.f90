! kernel7: an equation of state fragment, 995 points.
!
! Algorithm: kernel 7 of the Livermore loops, F. H. McMahon, "The Livermore
! Fortran Kernels: A Computer Test of the Numerical Performance Range",
! UCRL-53745 (1986). One long expression of sixteen operations a point, arrays
! x, y, z, u and scalars q, r, t as published, length 995; the text is our own.
!
! The kernel is run many times over the same input. The outer loop may not be
! dropped: every pass adds one point of its result to a check sum.
program kernel7
  implicit none
  integer, parameter :: n = 995
  integer, parameter :: passes = 200000
  double precision :: x(1001), y(1001), z(1001), u(1001)
  double precision :: q, r, t, check, total
  integer :: k, pass, where
!HPF$ PROCESSORS procs(16)
!HPF$ DISTRIBUTE u(BLOCK) ONTO procs
!HPF$ ALIGN (i) WITH u(i) :: x, y, z

  q = 0.5d0
  r = 0.25d0
  t = 0.125d0
!HPF$ INDEPENDENT
  do k = 1, 1001
    x(k) = 0.0d0
    y(k) = 1.0d0 / dble(k + 1)
    z(k) = dble(mod(k * 7, 31)) * 0.0625d0
    u(k) = 1.0d0 + dble(mod(k * 13, 17)) * 0.03125d0
  end do

  check = 0.0d0
  where = 1
  do pass = 1, passes
!HPF$ INDEPENDENT
    do k = 1, n
      x(k) = u(k) + r * (z(k) + r * y(k)) &
           + t * (u(k + 3) + r * (u(k + 2) + r * u(k + 1)) &
                + t * (u(k + 6) + q * (u(k + 5) + q * u(k + 4))))
    end do
    check = check + x(where)
    where = where + 1
    if (where > n) where = 1
  end do

  total = 0.0d0
  do k = 1, n
    total = total + x(k)
  end do
  print *, 'check', check
  print *, 'total', total
  do k = 1, n, 199
    print *, k, x(k)
  end do
end program kernel7
