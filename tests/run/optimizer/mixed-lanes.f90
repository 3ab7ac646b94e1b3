! Numbers of eight and of four bytes in one loop: as many lanes of both
program mixed
  implicit none
  integer, parameter :: n = 1003
  real(8) :: a(n), b(n), x
  real(4) :: r(n), q(n)
  integer :: k(n), m(n), i
  integer(8) :: l(n)
  do i = 1, n
    a(i) = (i - 500) * 1.37d0 + 0.25d0
    r(i) = a(i) * 0.5
    m(i) = 3 * i - 700
  end do
  a(7) = 3d10; a(8) = -3d10; x = 0; a(9) = x / x; a(1000) = 1d300; r(11) = 1e20; r(12) = -1e20
  call conv(a, b, r, q, k, m, l, n)
  print *, sum(k / 7), sum(m / 3), sum(l / 5), sum(int(r(13:)))
  print *, k(5:12), k(998:1003)
  print *, b(1), b(500), b(1001:1003), q(4:6), q(1002:1003)
  call conv2(a, b, r, q, k, m, l, n)
  print *, k(5:12), k(998:1003)
  print *, b(1), b(500), b(1001:1003), q(4:6), q(1002:1003), l(1:3), l(1003)
contains
  subroutine conv(a, b, r, q, k, m, l, n)
    integer :: n, i, k(n), m(n)
    integer(8) :: l(n)
    real(8) :: a(n), b(n)
    real(4) :: r(n), q(n)
    do i = 1, n
      k(i) = int(a(i))
    end do
    do i = 1, n
      b(i) = m(i) * 0.5d0 + r(i)
    end do
    do i = 1, n
      q(i) = b(i) * 3
      l(i) = m(i) + 5_8
    end do
    do i = 1, n
      m(i) = int(r(i))
    end do
  end subroutine
  subroutine conv2(a, b, r, q, k, m, l, n)
    integer :: n, i, k(n), m(n)
    integer(8) :: l(n)
    real(8) :: a(n), b(n)
    real(4) :: r(n), q(n)
    do i = n, 1, -1
      k(i) = int(a(i) * 0.5d0)
      b(i) = a(i) - k(i)
      q(i) = b(i) + i
      l(i) = k(i) - i
    end do
  end subroutine
end program
