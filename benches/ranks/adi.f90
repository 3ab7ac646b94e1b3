! benches/ranks/hpf/adi.f90 for MPI, written by hand: columns in blocks, the systems of the rows in strips of 64 of them.
program adi
  implicit none
  include 'mpif.h'
  integer, parameter :: n = 512
  integer, parameter :: steps = 60
  integer, parameter :: width = 64
  double precision, parameter :: r = 0.75d0
  double precision, allocatable :: u(:, :), v(:, :), whole(:, :)
  integer, allocatable :: counts(:), starts(:)
  double precision :: c(n), g(n), total, began, sent(2), all(2)
  integer :: i, j, k, step, rank, ranks, left, right, size, lo, hi, first, last, is, ie, ierr
  integer :: status(mpi_status_size)

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
  first = max(lo, 2)
  last = min(hi, n - 1)
  allocate (u(n, lo - 1:hi + 1), v(n, lo:hi))

  do j = lo, hi
    do i = 1, n
      u(i, j) = mod(7 * i + 3 * j, 101) * 0.01d0
      if (i == 1 .or. i == n .or. j == 1 .or. j == n) u(i, j) = 0
      v(i, j) = 0
    end do
  end do

  c(1) = 0
  g(1) = 0
  do i = 2, n - 1
    g(i) = 1.0d0 / (1.0d0 + 2.0d0 * r - r * c(i - 1))
    c(i) = r * g(i)
  end do

  do step = 1, steps
    call mpi_sendrecv(u(2, lo), n - 2, mpi_double_precision, left, 1, u(2, hi + 1), n - 2, mpi_double_precision, right, 1, &
                      mpi_comm_world, status, ierr)
    call note(left, n - 2)
    call mpi_sendrecv(u(2, hi), n - 2, mpi_double_precision, right, 2, u(2, lo - 1), n - 2, mpi_double_precision, left, 2, &
                      mpi_comm_world, status, ierr)
    call note(right, n - 2)
    do j = first, last
      do i = 2, n - 1
        v(i, j) = (u(i, j) * (1.0d0 - 2.0d0 * r) + r * (u(i, j - 1) + u(i, j + 1)) + r * v(i - 1, j)) * g(i)
      end do
      do i = n - 2, 2, -1
        v(i, j) = v(i, j) + c(i) * v(i + 1, j)
      end do
    end do
    do is = 2, n - 1, width
      ie = min(is + width - 1, n - 1)
      call mpi_recv(u(is, lo - 1), ie - is + 1, mpi_double_precision, left, 3, mpi_comm_world, status, ierr)
      do j = first, last
        do i = is, ie
          u(i, j) = (v(i, j) * (1.0d0 - 2.0d0 * r) + r * (v(i - 1, j) + v(i + 1, j)) + r * u(i, j - 1)) * g(j)
        end do
      end do
      call mpi_send(u(is, hi), ie - is + 1, mpi_double_precision, right, 3, mpi_comm_world, ierr)
      call note(right, ie - is + 1)
    end do
    do is = 2, n - 1, width
      ie = min(is + width - 1, n - 1)
      call mpi_recv(u(is, hi + 1), ie - is + 1, mpi_double_precision, right, 4, mpi_comm_world, status, ierr)
      do j = min(last, n - 2), first, -1
        do i = is, ie
          u(i, j) = u(i, j) + c(j) * u(i, j + 1)
        end do
      end do
      call mpi_send(u(is, lo), ie - is + 1, mpi_double_precision, left, 4, mpi_comm_world, ierr)
      call note(left, ie - is + 1)
    end do
  end do

  allocate (whole(n, n), counts(0:ranks - 1), starts(0:ranks - 1))
  do k = 0, ranks - 1
    starts(k) = k * size * n
    counts(k) = (min(n, (k + 1) * size) - k * size) * n
  end do
  call mpi_gatherv(u(1, lo), counts(rank), mpi_double_precision, whole, counts, starts, mpi_double_precision, &
                   0, mpi_comm_world, ierr)
  if (rank > 0) sent = sent + (/ 1, 8 * counts(rank) /)
  if (rank == 0) then
    total = 0
    do j = 1, n
      do i = 1, n
        total = total + whole(i, j)
      end do
    end do
    print *, 'sum ', total
    do i = 16, n, 120
      print *, i, whole(i, i), whole(i, n + 1 - i)
    end do
  end if
  call mpi_allreduce(sent, all, 2, mpi_double_precision, mpi_sum, mpi_comm_world, ierr)
  if (rank == 0) write (0, *) 'sent', all, mpi_wtime() - began
  call mpi_finalize(ierr)

contains

  ! Notes a message to a neighbour.
  subroutine note(to, numbers)
    integer, intent(in) :: to, numbers
    if (to /= mpi_proc_null) sent = sent + (/ 1, 8 * numbers /)
  end subroutine note

end program adi
