! triangular: loops whose iteration counts no rectangle describes.
!
! Algorithms: Cholesky factorisation and triangular solution as in J. J. Dongarra
! et al., "LINPACK Users' Guide" (1979); insertion sort and the sieve as in
! D. E. Knuth, "The Art of Computer Programming" 3 and 2; the bracketing search
! is bisection with an arithmetic IF, as Fortran programs of the 1960s had it.
!
! These are the hard cases for a profiler of optimized code: bounds that depend
! on outer loops, loops left early by EXIT and GOTO, DO WHILE, zero-trip loops,
! three-way branches, and leaf procedures that are worth inlining and contain
! loops and branches of their own.
program triangular
  implicit none
  integer, parameter :: n = 220
  integer, parameter :: rounds = 240
  double precision :: a(n, n), l(n, n), b(n), x(n), keys(n)
  double precision :: total, worst, root, low, high, middle, f
  integer :: order(n)
  integer :: i, j, k, round, steps, moved, first, primes, found, empty
  logical :: composite(20 * n)
  double precision, external :: row_product, cubic
!HPF$ PROCESSORS procs(4)
!HPF$ DISTRIBUTE a(*, CYCLIC) ONTO procs
!HPF$ ALIGN l(i, j) WITH a(i, j)

  total = 0.0d0
  worst = 0.0d0
  steps = 0
  moved = 0
  found = 0
  empty = 0

  do round = 1, rounds

    ! A symmetric positive definite matrix: the lower triangle, then its mirror.
!HPF$ INDEPENDENT, NEW(i)
    do j = 1, n
      do i = j, n
        a(i, j) = 1.0d0 / dble(i + j + round)
        if (i == j) a(i, j) = a(i, j) + 2.0d0
      end do
    end do
    do j = 2, n
      do i = 1, j - 1
        a(i, j) = a(j, i)
      end do
    end do

    ! Cholesky: the inner trip counts are n - k, and j - 1 in the product.
    do j = 1, n
      do i = 1, j - 1
        l(i, j) = 0.0d0
      end do
      do i = j, n
        l(i, j) = a(i, j)
      end do
      do k = 1, j - 1
        do i = j, n
          l(i, j) = l(i, j) - l(i, k) * l(j, k)
        end do
      end do
      l(j, j) = sqrt(l(j, j))
      do i = j + 1, n
        l(i, j) = l(i, j) / l(j, j)
      end do
    end do

    ! Forward and backward substitution; the leaf is empty for the first row.
    do i = 1, n
      b(i) = dble(mod(i * round, 11))
      x(i) = (b(i) - row_product(l, x, n, i, 1, i - 1)) / l(i, i)
    end do
    do i = n, 1, -1
      do k = i + 1, n
        x(i) = x(i) - l(k, i) * x(k)
      end do
      x(i) = x(i) / l(i, i)
      total = total + x(i)
    end do

    ! The residual by rows of the full matrix; stop at the first bad row.
    do i = 1, n
      f = abs(b(i) - row_product(a, x, n, i, 1, n))
      if (f > worst) worst = f
      if (f > 1.0d-6) exit
    end do
    if (i <= n) print *, 'bad residual in row', i

    ! Insertion sort by DO WHILE; the number of moves depends on the data.
    do i = 1, n
      keys(i) = x(i)
      order(i) = i
    end do
    do i = 2, n
      f = keys(i)
      k = order(i)
      j = i - 1
      do while (j >= 1)
        if (keys(j) <= f) exit
        keys(j + 1) = keys(j)
        order(j + 1) = order(j)
        j = j - 1
        moved = moved + 1
      end do
      keys(j + 1) = f
      order(j + 1) = k
    end do

    ! The first descent in the order: left by GOTO from two loops at once.
    first = 0
    do i = 1, n - 1
      do j = i + 1, n, 17
        if (order(j) < order(i)) then
          first = i * n + j
          go to 100
        end if
      end do
    end do
100 continue
    found = found + first

    ! Bisection: an arithmetic IF takes one of three ways.
    low = 0.0d0
    high = 4.0d0
    root = -1.0d0
    do
      middle = 0.5d0 * (low + high)
      if (high - low < 1.0d-12) exit
      steps = steps + 1
      if (cubic(middle, dble(round))) 110, 120, 130
110   low = middle
      cycle
120   root = middle
      exit
130   high = middle
    end do
    if (root < 0.0d0) root = middle
    total = total + root

    ! Loops that run zero times in the first rounds.
    do i = 5, round / 8
      do j = i, 2 * i - round / 16
        empty = empty + 1
      end do
    end do

  end do

  ! The sieve: inner steps grow, and only primes enter the inner loop.
  primes = 0
  do i = 2, 20 * n
    composite(i) = .false.
  end do
  outer: do i = 2, 20 * n
    if (composite(i)) cycle outer
    primes = primes + 1
    do j = i, 20 * n / i
      composite(i * j) = .true.
    end do
  end do outer

  print *, 'solution sum ', total
  print *, 'largest residual', worst
  print *, 'moves', moved, ' steps', steps, ' found', found
  print *, 'empty', empty, ' primes', primes
  print *, 'smallest at', order(1), keys(1)
end program triangular

! The product of row i of m with v, columns from first to last.
double precision function row_product(m, v, n, i, first, last)
  implicit none
  integer, intent(in) :: n, i, first, last
  double precision, intent(in) :: m(n, n), v(n)
  integer :: k

  row_product = 0.0d0
  do k = first, last
    row_product = row_product + m(i, k) * v(k)
  end do
end function row_product

! A cubic that grows from below zero to above zero between 0 and 4.
double precision function cubic(x, shift)
  implicit none
  double precision, intent(in) :: x, shift

  cubic = (x * x + 1.0d0) * x - shift * 0.25d0
end function cubic
