! examples/hpf/tomcatv.f90 for MPI, written by hand: rows in blocks, one row of x and y on either side of a part that the neighbours send.
program tomcatv
  implicit none
  include 'mpif.h'
  integer, parameter :: n = 257
  integer, parameter :: itmax = 400
  double precision, parameter :: rel = 2.0d0 / 0.98d0
  double precision, allocatable :: x(:, :), y(:, :), rx(:, :), ry(:, :), aa(:, :), dd(:, :), d(:, :)
  double precision :: rxm(itmax), rym(itmax), own(2), greatest(2)
  double precision :: out(2 * (n - 2), 2), in(2 * (n - 2), 2)
  double precision :: xx, yx, xy, yy, a, b, c
  double precision :: pxx, qxx, pyy, qyy, pxy, qxy, r
  double precision :: s, t, bump, sumx, sumy, began
  double precision, allocatable :: wx(:, :), wy(:, :)
  integer :: i, j, iter, rank, ranks, above, below, size, lo, hi, first, last, ierr
  integer :: status(mpi_status_size)
  double precision :: sent(2), all(2)

  call mpi_init(ierr)
  began = mpi_wtime()
  call mpi_comm_rank(mpi_comm_world, rank, ierr)
  call mpi_comm_size(mpi_comm_world, ranks, ierr)
  size = (n + ranks - 1) / ranks
  lo = rank * size + 1
  hi = min(n, lo + size - 1)
  above = rank - 1
  if (rank == 0) above = mpi_proc_null
  below = rank + 1
  if (rank == ranks - 1) below = mpi_proc_null
  sent = 0
  first = max(lo, 2)
  last = min(hi, n - 1)
  allocate (x(lo - 1:hi + 1, n), y(lo - 1:hi + 1, n))
  allocate (rx(lo:hi, n), ry(lo:hi, n), aa(lo:hi, n), dd(lo:hi, n), d(lo:hi, n))

  do j = 1, n
    do i = max(lo - 1, 1), min(hi + 1, n)
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

    ! The first step has its rows already.
    if (iter > 1) call rows
    do j = 2, n - 1
      do i = first, last
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

    own = 0.0d0
    do j = 2, n - 1
      do i = first, last
        own(1) = max(own(1), abs(rx(i, j)))
        own(2) = max(own(2), abs(ry(i, j)))
      end do
    end do
    call mpi_allreduce(own, greatest, 2, mpi_double_precision, mpi_max, mpi_comm_world, ierr)
    rxm(iter) = greatest(1)
    rym(iter) = greatest(2)

    do i = first, last
      d(i, 2) = 1.0d0 / dd(i, 2)
    end do
    do j = 3, n - 1
      do i = first, last
        r = aa(i, j) * d(i, j - 1)
        d(i, j) = 1.0d0 / (dd(i, j) - aa(i, j - 1) * r)
        rx(i, j) = rx(i, j) - rx(i, j - 1) * r
        ry(i, j) = ry(i, j) - ry(i, j - 1) * r
      end do
    end do

    do i = first, last
      rx(i, n - 1) = rx(i, n - 1) * d(i, n - 1)
      ry(i, n - 1) = ry(i, n - 1) * d(i, n - 1)
    end do
    do j = n - 2, 2, -1
      do i = first, last
        rx(i, j) = (rx(i, j) - aa(i, j) * rx(i, j + 1)) * d(i, j)
        ry(i, j) = (ry(i, j) - aa(i, j) * ry(i, j + 1)) * d(i, j)
      end do
    end do

    do j = 2, n - 1
      do i = first, last
        x(i, j) = x(i, j) + rx(i, j)
        y(i, j) = y(i, j) + ry(i, j)
      end do
    end do

  end do

  if (rank == 0) then
    do iter = 1, itmax, 50
      print *, 'iteration', iter, ' residuals', rxm(iter), rym(iter)
    end do
    print *, 'iteration', itmax, ' residuals', rxm(itmax), rym(itmax)
  end if

  ! Each rank has zeros where it owns nothing, so the sum is the whole.
  allocate (wx(n, n), wy(n, n))
  call whole(x, wx)
  call whole(y, wy)
  if (rank == 0) then
    sumx = 0.0d0
    sumy = 0.0d0
    do j = 1, n
      do i = 1, n
        sumx = sumx + wx(i, j)
        sumy = sumy + wy(i, j)
      end do
    end do
    print *, 'sum of x', sumx
    print *, 'sum of y', sumy
    print *, 'centre  ', wx(n / 2 + 1, n / 2 + 1), wy(n / 2 + 1, n / 2 + 1)
  end if
  call mpi_allreduce(sent, all, 2, mpi_double_precision, mpi_sum, mpi_comm_world, ierr)
  if (rank == 0) write (0, *) 'sent', all, mpi_wtime() - began
  call mpi_finalize(ierr)

contains

  ! Gets the rows beside the part from the neighbours, x and y in one message. Their ends never change.
  subroutine rows
    integer :: k
    do k = 2, n - 1
      out(k - 1, 1) = x(hi, k)
      out(n - 2 + k - 1, 1) = y(hi, k)
      out(k - 1, 2) = x(lo, k)
      out(n - 2 + k - 1, 2) = y(lo, k)
    end do
    call mpi_sendrecv(out(1, 1), 2 * (n - 2), mpi_double_precision, below, 1, &
                      in(1, 1), 2 * (n - 2), mpi_double_precision, above, 1, mpi_comm_world, status, ierr)
    call mpi_sendrecv(out(1, 2), 2 * (n - 2), mpi_double_precision, above, 2, &
                      in(1, 2), 2 * (n - 2), mpi_double_precision, below, 2, mpi_comm_world, status, ierr)
    if (above /= mpi_proc_null) then
      do k = 2, n - 1
        x(lo - 1, k) = in(k - 1, 1)
        y(lo - 1, k) = in(n - 2 + k - 1, 1)
      end do
      sent = sent + (/ 1, 16 * (n - 2) /)
    end if
    if (below /= mpi_proc_null) then
      do k = 2, n - 1
        x(hi + 1, k) = in(k - 1, 2)
        y(hi + 1, k) = in(n - 2 + k - 1, 2)
      end do
      sent = sent + (/ 1, 16 * (n - 2) /)
    end if
  end subroutine rows

  ! The whole array on rank 0.
  subroutine whole(part, out)
    double precision, intent(in) :: part(lo - 1:hi + 1, n)
    double precision, intent(out) :: out(n, n)
    double precision, allocatable :: mine(:, :)
    allocate (mine(n, n))
    mine = 0.0d0
    mine(lo:hi, :) = part(lo:hi, :)
    if (rank > 0) sent = sent + (/ 1, 8 * n * (hi - lo + 1) /)
    call mpi_reduce(mine, out, n * n, mpi_double_precision, mpi_sum, 0, mpi_comm_world, ierr)
  end subroutine whole

end program tomcatv
