! Elements that are no neighbours, loaded one by one into vectors
program gathered
  implicit none
  integer, parameter :: n = 1003
  real(8) :: a(2*n), b(n), c(n), g(0:40, 0:40), x(n), y(n)
  real(4) :: r(2*n), q(n)
  integer :: k(n), i, j
  do i = 1, 2*n
    a(i) = mod(i * 37, 1001) * 0.37d0 + 0.25d0
    r(i) = mod(i * 91, 513)
  end do
  do i = 1, n
    k(i) = mod(i * 617, n) + 1
    b(i) = i
    x(i) = mod(i * 31, 390) * 0.1d0
    y(i) = mod(i * 17, 397) * 0.1d0
  end do
  do j = 0, 40
    do i = 0, 40
      g(i, j) = i * 1.5d0 - j * 0.75d0 + i * j
    end do
  end do
  c = 0
  call strided(a, b, c, n, 2)
  print *, c(1:3), c(998:1003), sum(c)
  call indexed(a, b, c, k, n)
  print *, c(1:3), c(998:1003), sum(c)
  call back(a, b, c, k, n)
  print *, c(1:3), c(998:1003), sum(c)
  call grid(x, y, c, n)
  print *, c(1:3), c(998:1003), sum(c)
  call four(r, q, k, n)
  print *, q(1:3), q(998:1003), sum(q)
  do i = 0, 20
    call indexed(a, b, c, k, i)
    call back(a, b, c, k, i)
    print *, sum(c)
  end do
contains
  subroutine strided(a, b, c, n, m)
    integer :: n, i, m
    real(8) :: a(*), b(n), c(n)
    do i = 1, n
      c(i) = (a(2*i) * 0.5d0 + b(i)) * (b(i) - 1) + 3 * c(i)
    end do
    do i = 1, n
      c(i) = c(i) + (a(m*i) * 0.5d0 + b(i)) * (b(i) - 1)
    end do
  end subroutine
  subroutine indexed(a, b, c, k, n)
    integer :: n, i, k(*)
    real(8) :: a(*), b(n), c(n)
    do i = 1, n
      c(i) = (a(k(i)) * 0.5d0 + b(i)) * (b(i) - 1) + 3 * b(i)
    end do
  end subroutine
  subroutine back(a, b, c, k, n)
    integer :: n, i, k(*), l
    real(8) :: a(*), b(n), c(n)
    do i = n, 1, -1
      l = k(i)
      c(i) = c(i) + (a(l + i) * 0.5d0 + b(i)) * (b(i) - 1) + 3 * b(i) - a(l)
    end do
  end subroutine
  subroutine grid(x, y, c, n)
    integer :: n, i, k, l
    real(8) :: x(n), y(n), c(n), a, b
    do i = 1, n
      k = int(x(i))
      l = int(y(i))
      a = x(i) - k
      b = y(i) - l
      c(i) = (1 - b) * ((1 - a) * g(k, l) + a * g(k + 1, l)) + b * ((1 - a) * g(k, l + 1) + a * g(k + 1, l + 1))
    end do
  end subroutine
  subroutine four(r, q, k, n)
    integer :: n, i, k(*)
    real(4) :: r(*), q(n)
    do i = 1, n
      q(i) = (r(2*i - 1) - r(2*i)) * (r(k(i)) + 1.5) - sqrt(r(i)) * 0.5
    end do
  end subroutine
end program
