! examples/hpf/jacobi.f90 for MPI, written by hand: columns in blocks, one column on either side of a part that the neighbours send.
program jacobi
  implicit none
  include 'mpif.h'
  integer, parameter :: n = 256
  integer, parameter :: maxit = 4000
  double precision, parameter :: eps = 1.0d-2
  double precision, allocatable :: a(:, :), b(:, :), whole(:, :)
  double precision :: change(1), greatest(1), total, began
  integer, allocatable :: counts(:), starts(:)
  integer :: rank, ranks, left, right, size, lo, hi, first, last
  integer :: i, j, k, iter, ierr
  integer :: status(mpi_status_size)
  double precision :: sent(2), all(2)

  call mpi_init(ierr)
  began = mpi_wtime()
  call mpi_comm_rank(mpi_comm_world, rank, ierr)
  call mpi_comm_size(mpi_comm_world, ranks, ierr)
  size = (n + ranks - 1) / ranks
  lo = rank * size + 1
  hi = min(n, lo + size - 1)
  left = rank - 1
  if (rank == 0) left = mpi_proc_null
  right = rank + 1
  if (rank == ranks - 1) right = mpi_proc_null
  sent = 0
  allocate (a(n, lo - 1:hi + 1), b(n, lo - 1:hi + 1))
  first = max(lo, 2)
  last = min(hi, n - 1)

  do j = lo, hi
    do i = 1, n
      a(i, j) = 0.0d0
    end do
  end do
  if (lo == 1) then
    do i = 1, n
      a(i, 1) = 100.0d0
    end do
  end if
  do j = lo, hi
    a(n, j) = 100.0d0 - 75.0d0 * dble(j - 1) / dble(n - 1)
  end do

  do iter = 1, maxit
    call mpi_sendrecv(a(2, hi), n - 2, mpi_double_precision, right, 1, &
                      a(2, lo - 1), n - 2, mpi_double_precision, left, 1, mpi_comm_world, status, ierr)
    call mpi_sendrecv(a(2, lo), n - 2, mpi_double_precision, left, 2, &
                      a(2, hi + 1), n - 2, mpi_double_precision, right, 2, mpi_comm_world, status, ierr)
    call note(right)
    call note(left)
    do j = first, last
      do i = 2, n - 1
        b(i, j) = 0.25d0 * (a(i - 1, j) + a(i + 1, j) + a(i, j - 1) + a(i, j + 1))
      end do
    end do

    change = 0.0d0
    do j = first, last
      do i = 2, n - 1
        change(1) = max(change(1), abs(b(i, j) - a(i, j)))
      end do
    end do
    call mpi_allreduce(change, greatest, 1, mpi_double_precision, mpi_max, mpi_comm_world, ierr)

    do j = first, last
      do i = 2, n - 1
        a(i, j) = b(i, j)
      end do
    end do

    if (rank == 0 .and. mod(iter, 500) == 0) print *, 'iteration', iter, ' change', greatest(1)
    if (greatest(1) < eps) exit
  end do

  if (rank == 0) then
    if (iter > maxit) then
      print *, 'no convergence after', maxit, ' iterations'
    else
      print *, 'converged in iteration', iter
    end if
  end if

  allocate (whole(n, n), counts(0:ranks - 1), starts(0:ranks - 1))
  do k = 0, ranks - 1
    starts(k) = k * size * n
    counts(k) = (min(n, (k + 1) * size) - k * size) * n
  end do
  call mpi_gatherv(a(1, lo), counts(rank), mpi_double_precision, whole, counts, starts, mpi_double_precision, &
                   0, mpi_comm_world, ierr)
  if (rank > 0) sent = sent + (/ 1, 8 * counts(rank) /)
  if (rank == 0) then
    total = 0.0d0
    do j = 1, n
      do i = 1, n
        total = total + whole(i, j)
      end do
    end do
    print *, 'sum ', total
    do i = 16, n, 80
      print *, i, whole(i, i), whole(i, n + 1 - i)
    end do
  end if
  call mpi_allreduce(sent, all, 2, mpi_double_precision, mpi_sum, mpi_comm_world, ierr)
  if (rank == 0) write (0, *) 'sent', all, mpi_wtime() - began
  call mpi_finalize(ierr)

contains

  ! Notes a message to a neighbour.
  subroutine note(to)
    integer, intent(in) :: to
    if (to /= mpi_proc_null) sent = sent + (/ 1, 8 * (n - 2) /)
  end subroutine note

end program jacobi
