! swm256_1d2: shallow water equations on 256 x 256 cells, columns distributed.
!
! Algorithm: R. Sadourny, "The Dynamics of Finite-Difference Models of the
! Shallow-Water Equations", Journal of the Atmospheric Sciences 32 (1975), the
! potential enstrophy conserving scheme on a staggered periodic grid, with the
! time filter of Robert and Asselin. It became known as a benchmark through
! P. N. Swarztrauber (NCAR) and as 078.swm256 of SPEC CPU92: the arrays, the
! three procedures calc1, calc2, calc3 and their loops are those of the
! benchmark; the text is our own.
!
! This version keeps the arrays in a module and distributes the second
! dimension: DISTRIBUTE (*, BLOCK). Its twin swm256_1d1.f90 keeps them in COMMON
! and distributes the first one; both print the same figures.
module water
  implicit none
  integer, parameter :: n1 = 257, n2 = 257
  double precision :: u(n1, n2), v(n1, n2), p(n1, n2)
  double precision :: unew(n1, n2), vnew(n1, n2), pnew(n1, n2)
  double precision :: uold(n1, n2), vold(n1, n2), pold(n1, n2)
  double precision :: cu(n1, n2), cv(n1, n2), z(n1, n2), h(n1, n2), psi(n1, n2)
  double precision :: dt, tdt, dx, dy, alpha
  integer :: m, n
!HPF$ PROCESSORS procs(16)
!HPF$ TEMPLATE grid(257, 257)
!HPF$ ALIGN (i, j) WITH grid(i, j) :: u, v, p, unew, vnew, pnew, uold, vold, pold
!HPF$ ALIGN (i, j) WITH grid(i, j) :: cu, cv, z, h, psi
!HPF$ DISTRIBUTE grid(*, BLOCK) ONTO procs

contains

  ! The constants and the state at time zero.
  subroutine inital
    double precision, parameter :: pi = 3.14159265358979d0
    double precision :: a, pcf, el, twocos
    double precision :: wave(0:511)
    integer :: i, j, k

    m = n1 - 1
    n = n2 - 1
    dt = 20.0d0
    tdt = dt
    dx = 1.0d5
    dy = 1.0d5
    alpha = 0.001d0
    a = 1.0d6
    el = dble(n) * dx
    pcf = pi * pi * a * a / (el * el)

    ! wave(k) is the sine of k * pi / 256, by the recurrence of Chebyshev: sums and
    ! products are the same on every machine, the last bit of SIN in a library is not.
    twocos = 1.99984940367828905d0
    wave(0) = 0.0d0
    wave(1) = 0.0122715382857199261d0
    do k = 2, 511
      wave(k) = twocos * wave(k - 1) - wave(k - 2)
    end do

    ! The stream function is sin((i - 1/2) d) sin((j - 1/2) d), d = 2 pi / 256, and
    ! the pressure cos(2 (i - 1) d) + cos(2 (j - 1) d).
!HPF$ INDEPENDENT, NEW(i)
    do j = 1, n + 1
      do i = 1, m + 1
        psi(i, j) = a * wave(mod(2 * i - 1, 512)) * wave(mod(2 * j - 1, 512))
        p(i, j) = pcf * (wave(mod(4 * i + 124, 512)) + wave(mod(4 * j + 124, 512))) + 50000.0d0
      end do
    end do

!HPF$ INDEPENDENT, NEW(i)
    do j = 1, n
      do i = 1, m
        u(i + 1, j) = -(psi(i + 1, j + 1) - psi(i + 1, j)) / dy
        v(i, j + 1) = (psi(i + 1, j + 1) - psi(i, j + 1)) / dx
      end do
    end do

    ! Both directions are periodic.
    do j = 1, n
      u(1, j) = u(m + 1, j)
      v(m + 1, j + 1) = v(1, j + 1)
    end do
    do i = 1, m
      u(i + 1, n + 1) = u(i + 1, 1)
      v(i, 1) = v(i, n + 1)
    end do
    u(1, n + 1) = u(m + 1, 1)
    v(m + 1, 1) = v(1, n + 1)

!HPF$ INDEPENDENT, NEW(i)
    do j = 1, n + 1
      do i = 1, m + 1
        uold(i, j) = u(i, j)
        vold(i, j) = v(i, j)
        pold(i, j) = p(i, j)
      end do
    end do
  end subroutine inital

  ! Mass fluxes cu and cv, potential vorticity z, and height h.
  subroutine calc1
    double precision :: fsdx, fsdy
    integer :: i, j

    fsdx = 4.0d0 / dx
    fsdy = 4.0d0 / dy

!HPF$ INDEPENDENT, NEW(i)
    do j = 1, n
      do i = 1, m
        cu(i + 1, j) = 0.5d0 * (p(i + 1, j) + p(i, j)) * u(i + 1, j)
        cv(i, j + 1) = 0.5d0 * (p(i, j + 1) + p(i, j)) * v(i, j + 1)
        z(i + 1, j + 1) = (fsdx * (v(i + 1, j + 1) - v(i, j + 1)) &
                         - fsdy * (u(i + 1, j + 1) - u(i + 1, j))) &
                        / (p(i, j) + p(i + 1, j) + p(i + 1, j + 1) + p(i, j + 1))
        h(i, j) = p(i, j) + 0.25d0 * (u(i + 1, j) * u(i + 1, j) + u(i, j) * u(i, j) &
                                    + v(i, j + 1) * v(i, j + 1) + v(i, j) * v(i, j))
      end do
    end do

    do j = 1, n
      cu(1, j) = cu(m + 1, j)
      cv(m + 1, j + 1) = cv(1, j + 1)
      z(1, j + 1) = z(m + 1, j + 1)
      h(m + 1, j) = h(1, j)
    end do
    do i = 1, m
      cu(i + 1, n + 1) = cu(i + 1, 1)
      cv(i, 1) = cv(i, n + 1)
      z(i + 1, 1) = z(i + 1, n + 1)
      h(i, n + 1) = h(i, 1)
    end do
    cu(1, n + 1) = cu(m + 1, 1)
    cv(m + 1, 1) = cv(1, n + 1)
    z(1, 1) = z(m + 1, n + 1)
    h(m + 1, n + 1) = h(1, 1)
  end subroutine calc1

  ! The state one (leapfrog) step later.
  subroutine calc2
    double precision :: tdts8, tdtsdx, tdtsdy
    integer :: i, j

    tdts8 = tdt / 8.0d0
    tdtsdx = tdt / dx
    tdtsdy = tdt / dy

!HPF$ INDEPENDENT, NEW(i)
    do j = 1, n
      do i = 1, m
        unew(i + 1, j) = uold(i + 1, j) &
          + tdts8 * (z(i + 1, j + 1) + z(i + 1, j)) &
                  * (cv(i + 1, j + 1) + cv(i, j + 1) + cv(i, j) + cv(i + 1, j)) &
          - tdtsdx * (h(i + 1, j) - h(i, j))
        vnew(i, j + 1) = vold(i, j + 1) &
          - tdts8 * (z(i + 1, j + 1) + z(i, j + 1)) &
                  * (cu(i + 1, j + 1) + cu(i, j + 1) + cu(i, j) + cu(i + 1, j)) &
          - tdtsdy * (h(i, j + 1) - h(i, j))
        pnew(i, j) = pold(i, j) - tdtsdx * (cu(i + 1, j) - cu(i, j)) &
                                - tdtsdy * (cv(i, j + 1) - cv(i, j))
      end do
    end do

    do j = 1, n
      unew(1, j) = unew(m + 1, j)
      vnew(m + 1, j + 1) = vnew(1, j + 1)
      pnew(m + 1, j) = pnew(1, j)
    end do
    do i = 1, m
      unew(i + 1, n + 1) = unew(i + 1, 1)
      vnew(i, 1) = vnew(i, n + 1)
      pnew(i, n + 1) = pnew(i, 1)
    end do
    unew(1, n + 1) = unew(m + 1, 1)
    vnew(m + 1, 1) = vnew(1, n + 1)
    pnew(m + 1, n + 1) = pnew(1, 1)
  end subroutine calc2

  ! After the first step: no filter yet, and the step doubles.
  subroutine calc3z
    integer :: i, j

    tdt = tdt + tdt
!HPF$ INDEPENDENT, NEW(i)
    do j = 1, n + 1
      do i = 1, m + 1
        uold(i, j) = u(i, j)
        vold(i, j) = v(i, j)
        pold(i, j) = p(i, j)
        u(i, j) = unew(i, j)
        v(i, j) = vnew(i, j)
        p(i, j) = pnew(i, j)
      end do
    end do
  end subroutine calc3z

  ! After every later step: filter the state in time and advance.
  subroutine calc3
    integer :: i, j

!HPF$ INDEPENDENT, NEW(i)
    do j = 1, n
      do i = 1, m
        uold(i, j) = u(i, j) + alpha * (unew(i, j) - 2.0d0 * u(i, j) + uold(i, j))
        vold(i, j) = v(i, j) + alpha * (vnew(i, j) - 2.0d0 * v(i, j) + vold(i, j))
        pold(i, j) = p(i, j) + alpha * (pnew(i, j) - 2.0d0 * p(i, j) + pold(i, j))
        u(i, j) = unew(i, j)
        v(i, j) = vnew(i, j)
        p(i, j) = pnew(i, j)
      end do
    end do

    do j = 1, n
      uold(m + 1, j) = uold(1, j)
      vold(m + 1, j) = vold(1, j)
      pold(m + 1, j) = pold(1, j)
      u(m + 1, j) = u(1, j)
      v(m + 1, j) = v(1, j)
      p(m + 1, j) = p(1, j)
    end do
    do i = 1, m
      uold(i, n + 1) = uold(i, 1)
      vold(i, n + 1) = vold(i, 1)
      pold(i, n + 1) = pold(i, 1)
      u(i, n + 1) = u(i, 1)
      v(i, n + 1) = v(i, 1)
      p(i, n + 1) = p(i, 1)
    end do
    uold(m + 1, n + 1) = uold(1, 1)
    vold(m + 1, n + 1) = vold(1, 1)
    pold(m + 1, n + 1) = pold(1, 1)
    u(m + 1, n + 1) = u(1, 1)
    v(m + 1, n + 1) = v(1, 1)
    p(m + 1, n + 1) = p(1, 1)
  end subroutine calc3

end module water

program swm256
  use water
  implicit none
  integer, parameter :: itmax = 600, mprint = 120
  integer :: ncycle, i, j, mnmin
  double precision :: time, ptot, utot, vtot

  call inital
  print *, 'grid points', m, n, ' spacing', dx, dy
  print *, 'time step', dt, ' filter', alpha

  mnmin = min(m, n)
  time = 0.0d0
  do ncycle = 1, itmax
    call calc1
    call calc2
    time = time + dt
    if (mod(ncycle, mprint) == 0) then
      ptot = 0.0d0
      utot = 0.0d0
      vtot = 0.0d0
      do i = 1, mnmin
        do j = 1, mnmin
          ptot = ptot + abs(pnew(i, j))
          utot = utot + abs(unew(i, j))
          vtot = vtot + abs(vnew(i, j))
        end do
        unew(i, i) = unew(i, i) * (dble(mod(i, 100)) / 100.0d0)
      end do
      print *, 'cycle', ncycle, ' hours', time / 3600.0d0
      print *, '  sums of |p| |u| |v|', ptot, utot, vtot
    end if
    if (ncycle <= 1) then
      call calc3z
    else
      call calc3
    end if
  end do

  print *, 'diagonal of p, u, v'
  do i = 1, mnmin, 51
    print *, i, p(i, i), u(i, i), v(i, i)
  end do
end program swm256
