! examples/hpf/swm256_1d2.f90 for MPI, written by hand: columns in blocks, one column on either side of a part that the neighbours send.
module water
  implicit none
  include 'mpif.h'
  integer, parameter :: n1 = 257, n2 = 257
  double precision, allocatable, dimension(:, :) :: u, v, p, unew, vnew, pnew, uold, vold, pold, cu, cv, z, h, psi
  double precision :: dt, tdt, dx, dy, alpha
  double precision :: out(6 * n1), in(6 * n1)
  integer :: m, n, rank, ranks, left, right, lo, hi, upto, from, ierr
  integer :: status(mpi_status_size)
  double precision :: sent(2) = 0

contains

  subroutine start
    integer :: size
    call mpi_init(ierr)
    call mpi_comm_rank(mpi_comm_world, rank, ierr)
    call mpi_comm_size(mpi_comm_world, ranks, ierr)
    size = (n2 + ranks - 1) / ranks
    lo = rank * size + 1
    hi = min(n2, lo + size - 1)
    left = rank - 1
    if (rank == 0) left = mpi_proc_null
    right = rank + 1
    if (rank == ranks - 1) right = mpi_proc_null
    m = n1 - 1
    n = n2 - 1
    ! The own columns but the last one of all, and but the first one of all.
    upto = min(hi, n)
    from = max(lo, 2)
    allocate (u(n1, lo - 1:hi + 1), v(n1, lo - 1:hi + 1), p(n1, lo - 1:hi + 1))
    allocate (unew(n1, lo - 1:hi + 1), vnew(n1, lo - 1:hi + 1), pnew(n1, lo - 1:hi + 1))
    allocate (uold(n1, lo - 1:hi + 1), vold(n1, lo - 1:hi + 1), pold(n1, lo - 1:hi + 1))
    allocate (cu(n1, lo - 1:hi + 1), cv(n1, lo - 1:hi + 1), z(n1, lo - 1:hi + 1), h(n1, lo - 1:hi + 1))
    allocate (psi(n1, lo - 1:hi + 1))
  end subroutine start

  ! Sends columns that stand in `out` to one rank and gets as many from another.
  subroutine pass(to, by, columns, back)
    integer, intent(in) :: to, by, columns, back
    call mpi_sendrecv(out, columns * n1, mpi_double_precision, to, 1, &
                      in, back * n1, mpi_double_precision, by, 1, mpi_comm_world, status, ierr)
    if (to /= mpi_proc_null) sent = sent + (/ 1, 8 * columns * n1 /)
  end subroutine pass

  subroutine put(column, k)
    double precision, intent(in) :: column(n1)
    integer, intent(in) :: k
    out((k - 1) * n1 + 1:k * n1) = column
  end subroutine put

  subroutine get(column, k)
    double precision, intent(out) :: column(n1)
    integer, intent(in) :: k
    column = in((k - 1) * n1 + 1:k * n1)
  end subroutine get

  ! Both directions are periodic: the last column of `a` is the first one, the first column of `b` the last one.
  subroutine wrap2(a1, a2, b1, b2)
    double precision, dimension(n1, lo - 1:hi + 1) :: a1, a2, b1, b2
    if (ranks == 1) then
      a1(:, n + 1) = a1(:, 1)
      a2(:, n + 1) = a2(:, 1)
      b1(:, 1) = b1(:, n + 1)
      b2(:, 1) = b2(:, n + 1)
    else if (rank == 0) then
      call put(a1(1, 1), 1)
      call put(a2(1, 1), 2)
      call pass(ranks - 1, ranks - 1, 2, 2)
      call get(b1(1, 1), 1)
      call get(b2(1, 1), 2)
    else if (rank == ranks - 1) then
      call put(b1(1, n + 1), 1)
      call put(b2(1, n + 1), 2)
      call pass(0, 0, 2, 2)
      call get(a1(1, n + 1), 1)
      call get(a2(1, n + 1), 2)
    end if
  end subroutine wrap2

  subroutine inital
    double precision, parameter :: pi = 3.14159265358979d0
    double precision :: a, pcf, el, twocos
    double precision :: wave(0:511)
    integer :: i, j, k

    dt = 20.0d0
    tdt = dt
    dx = 1.0d5
    dy = 1.0d5
    alpha = 0.001d0
    a = 1.0d6
    el = dble(n) * dx
    pcf = pi * pi * a * a / (el * el)
    twocos = 1.99984940367828905d0
    wave(0) = 0.0d0
    wave(1) = 0.0122715382857199261d0
    do k = 2, 511
      wave(k) = twocos * wave(k - 1) - wave(k - 2)
    end do
    do j = max(lo - 1, 1), min(hi + 1, n + 1)
      do i = 1, m + 1
        psi(i, j) = a * wave(mod(2 * i - 1, 512)) * wave(mod(2 * j - 1, 512))
        p(i, j) = pcf * (wave(mod(4 * i + 124, 512)) + wave(mod(4 * j + 124, 512))) + 50000.0d0
      end do
    end do
    do j = lo, upto
      do i = 1, m
        u(i + 1, j) = -(psi(i + 1, j + 1) - psi(i + 1, j)) / dy
      end do
      u(1, j) = u(m + 1, j)
    end do
    do j = from, hi
      do i = 1, m
        v(i, j) = (psi(i + 1, j) - psi(i, j)) / dx
      end do
      v(m + 1, j) = v(1, j)
    end do
    call wrap2(u, u, v, v)
    do j = lo, hi
      do i = 1, m + 1
        uold(i, j) = u(i, j)
        vold(i, j) = v(i, j)
        pold(i, j) = p(i, j)
      end do
    end do
  end subroutine inital

  subroutine calc1
    double precision :: fsdx, fsdy
    integer :: i, j

    fsdx = 4.0d0 / dx
    fsdy = 4.0d0 / dy
    if (right /= mpi_proc_null) then
      call put(p(1, hi), 1)
      call put(u(1, hi), 2)
    end if
    call pass(right, left, 2, 2)
    if (left /= mpi_proc_null) then
      call get(p(1, lo - 1), 1)
      call get(u(1, lo - 1), 2)
      call put(v(1, lo), 1)
    end if
    call pass(left, right, 1, 1)
    if (right /= mpi_proc_null) call get(v(1, hi + 1), 1)

    do j = lo, upto
      do i = 1, m
        cu(i + 1, j) = 0.5d0 * (p(i + 1, j) + p(i, j)) * u(i + 1, j)
        h(i, j) = p(i, j) + 0.25d0 * (u(i + 1, j) * u(i + 1, j) + u(i, j) * u(i, j) &
                                    + v(i, j + 1) * v(i, j + 1) + v(i, j) * v(i, j))
      end do
    end do
    do j = from, hi
      do i = 1, m
        cv(i, j) = 0.5d0 * (p(i, j) + p(i, j - 1)) * v(i, j)
        z(i + 1, j) = (fsdx * (v(i + 1, j) - v(i, j)) &
                     - fsdy * (u(i + 1, j) - u(i + 1, j - 1))) &
                    / (p(i, j - 1) + p(i + 1, j - 1) + p(i + 1, j) + p(i, j))
      end do
    end do
    do j = lo, upto
      cu(1, j) = cu(m + 1, j)
      h(m + 1, j) = h(1, j)
    end do
    do j = from, hi
      cv(m + 1, j) = cv(1, j)
      z(1, j) = z(m + 1, j)
    end do
    call wrap2(cu, h, cv, z)
  end subroutine calc1

  subroutine calc2
    double precision :: tdts8, tdtsdx, tdtsdy
    integer :: i, j

    tdts8 = tdt / 8.0d0
    tdtsdx = tdt / dx
    tdtsdy = tdt / dy
    if (right /= mpi_proc_null) then
      call put(cu(1, hi), 1)
      call put(h(1, hi), 2)
    end if
    call pass(right, left, 2, 2)
    if (left /= mpi_proc_null) then
      call get(cu(1, lo - 1), 1)
      call get(h(1, lo - 1), 2)
      call put(z(1, lo), 1)
      call put(cv(1, lo), 2)
    end if
    call pass(left, right, 2, 2)
    if (right /= mpi_proc_null) then
      call get(z(1, hi + 1), 1)
      call get(cv(1, hi + 1), 2)
    end if

    do j = lo, upto
      do i = 1, m
        unew(i + 1, j) = uold(i + 1, j) &
          + tdts8 * (z(i + 1, j + 1) + z(i + 1, j)) &
                  * (cv(i + 1, j + 1) + cv(i, j + 1) + cv(i, j) + cv(i + 1, j)) &
          - tdtsdx * (h(i + 1, j) - h(i, j))
        pnew(i, j) = pold(i, j) - tdtsdx * (cu(i + 1, j) - cu(i, j)) &
                                - tdtsdy * (cv(i, j + 1) - cv(i, j))
      end do
    end do
    do j = from, hi
      do i = 1, m
        vnew(i, j) = vold(i, j) &
          - tdts8 * (z(i + 1, j) + z(i, j)) &
                  * (cu(i + 1, j) + cu(i, j) + cu(i, j - 1) + cu(i + 1, j - 1)) &
          - tdtsdy * (h(i, j) - h(i, j - 1))
      end do
    end do
    do j = lo, upto
      unew(1, j) = unew(m + 1, j)
      pnew(m + 1, j) = pnew(1, j)
    end do
    do j = from, hi
      vnew(m + 1, j) = vnew(1, j)
    end do
    call wrap2(unew, pnew, vnew, vnew)
  end subroutine calc2

  subroutine calc3z
    integer :: i, j

    tdt = tdt + tdt
    do j = lo, hi
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

  subroutine calc3
    integer :: i, j

    do j = lo, upto
      do i = 1, m
        uold(i, j) = u(i, j) + alpha * (unew(i, j) - 2.0d0 * u(i, j) + uold(i, j))
        vold(i, j) = v(i, j) + alpha * (vnew(i, j) - 2.0d0 * v(i, j) + vold(i, j))
        pold(i, j) = p(i, j) + alpha * (pnew(i, j) - 2.0d0 * p(i, j) + pold(i, j))
        u(i, j) = unew(i, j)
        v(i, j) = vnew(i, j)
        p(i, j) = pnew(i, j)
      end do
    end do
    do j = lo, upto
      uold(m + 1, j) = uold(1, j)
      vold(m + 1, j) = vold(1, j)
      pold(m + 1, j) = pold(1, j)
      u(m + 1, j) = u(1, j)
      v(m + 1, j) = v(1, j)
      p(m + 1, j) = p(1, j)
    end do
    if (ranks == 1) then
      uold(:, n + 1) = uold(:, 1)
      vold(:, n + 1) = vold(:, 1)
      pold(:, n + 1) = pold(:, 1)
      u(:, n + 1) = u(:, 1)
      v(:, n + 1) = v(:, 1)
      p(:, n + 1) = p(:, 1)
    else if (rank == 0) then
      call put(uold(1, 1), 1)
      call put(vold(1, 1), 2)
      call put(pold(1, 1), 3)
      call put(u(1, 1), 4)
      call put(v(1, 1), 5)
      call put(p(1, 1), 6)
      call pass(ranks - 1, mpi_proc_null, 6, 6)
    else if (rank == ranks - 1) then
      call pass(mpi_proc_null, 0, 6, 6)
      call get(uold(1, n + 1), 1)
      call get(vold(1, n + 1), 2)
      call get(pold(1, n + 1), 3)
      call get(u(1, n + 1), 4)
      call get(v(1, n + 1), 5)
      call get(p(1, n + 1), 6)
    end if
  end subroutine calc3

  ! The whole array on rank 0.
  subroutine gather(part, whole)
    double precision, intent(in) :: part(n1, lo - 1:hi + 1)
    double precision, intent(out) :: whole(n1, n2)
    integer :: counts(0:ranks - 1), starts(0:ranks - 1), k, size
    size = (n2 + ranks - 1) / ranks
    do k = 0, ranks - 1
      starts(k) = k * size * n1
      counts(k) = (min(n2, (k + 1) * size) - k * size) * n1
    end do
    call mpi_gatherv(part(1, lo), counts(rank), mpi_double_precision, whole, counts, starts, mpi_double_precision, &
                     0, mpi_comm_world, ierr)
    if (rank > 0) sent = sent + (/ 1, 8 * counts(rank) /)
  end subroutine gather

end module water

program swm256
  use water
  implicit none
  integer, parameter :: itmax = 600, mprint = 120
  integer :: ncycle, i, j, mnmin
  double precision :: all(2), time, ptot, utot, vtot, began
  double precision, allocatable :: wp(:, :), wu(:, :), wv(:, :)

  call start
  began = mpi_wtime()
  allocate (wp(n1, n2), wu(n1, n2), wv(n1, n2))
  call inital
  if (rank == 0) print *, 'grid points', m, n, ' spacing', dx, dy
  if (rank == 0) print *, 'time step', dt, ' filter', alpha

  mnmin = min(m, n)
  time = 0.0d0
  do ncycle = 1, itmax
    call calc1
    call calc2
    time = time + dt
    if (mod(ncycle, mprint) == 0) then
      call gather(pnew, wp)
      call gather(unew, wu)
      call gather(vnew, wv)
      if (rank == 0) then
        ptot = 0.0d0
        utot = 0.0d0
        vtot = 0.0d0
        do i = 1, mnmin
          do j = 1, mnmin
            ptot = ptot + abs(wp(i, j))
            utot = utot + abs(wu(i, j))
            vtot = vtot + abs(wv(i, j))
          end do
          wu(i, i) = wu(i, i) * (dble(mod(i, 100)) / 100.0d0)
        end do
        print *, 'cycle', ncycle, ' hours', time / 3600.0d0
        print *, '  sums of |p| |u| |v|', ptot, utot, vtot
      end if
      do i = max(lo, 1), min(hi, mnmin)
        unew(i, i) = unew(i, i) * (dble(mod(i, 100)) / 100.0d0)
      end do
    end if
    if (ncycle <= 1) then
      call calc3z
    else
      call calc3
    end if
  end do

  call gather(p, wp)
  call gather(u, wu)
  call gather(v, wv)
  if (rank == 0) then
    print *, 'diagonal of p, u, v'
    do i = 1, mnmin, 51
      print *, i, wp(i, i), wu(i, i), wv(i, i)
    end do
  end if
  call mpi_allreduce(sent, all, 2, mpi_double_precision, mpi_sum, mpi_comm_world, ierr)
  if (rank == 0) write (0, *) 'sent', all, mpi_wtime() - began
  call mpi_finalize(ierr)
end program swm256
