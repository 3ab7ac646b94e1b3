! Elements that are two apart in vectors: with a neighbour of each and without, forwards and backwards, of 0 to 24 iterations,
! the last one at the end of its array.
program alternate_lanes
  implicit none
  integer, parameter :: n = 50
  real(8) :: a(n), b(n), c(n)
  real(4) :: d(n), e(n)
  integer :: i, k, m(n), l(n)
  integer(8) :: p(n), q(n)

  do k = 0, 24
    call set()
    call pairs(a, b, k)
    call alone(a, b(1:2*k), c, k)
    call backwards(a, b, c, k)
    call singles(d, e, k)
    call integers(m, l, p, q, k)
    call counter(c, a, k)
    call mixed(c, e, k)
    call show()
  end do

contains

  subroutine set()
    do i = 1, n
      a(i) = i * 0.5d0
      b(i) = 1 / (i + 1d0)
      c(i) = 3 - i
      d(i) = 1.0 / i
      e(i) = i * 0.25
      m(i) = i * 7
      l(i) = -i
      p(i) = i * 11_8
      q(i) = 5 - i
    end do
  end subroutine

  subroutine show()
    integer(8) :: bits
    bits = 0
    do i = 1, n
      bits = mix(mix(mix(bits, a(i)), b(i)), c(i))
      bits = mix(mix(bits, dble(d(i))), dble(e(i)))
      bits = mix(mix(mix(mix(bits, dble(m(i))), dble(l(i))), dble(p(i))), dble(q(i)))
    end do
    print '(i0, 1x, z16.16, 4(1x, es12.4))', k, bits, a(2), c(3), d(4)
  end subroutine

  integer(8) function mix(bits, x)
    integer(8) :: bits
    real(8) :: x
    mix = ieor(ishftc(bits, 7), transfer(x, bits))
  end function

  subroutine pairs(a, b, n)
    integer :: n, i
    real(8) :: a(n), b(2 * n)
    do i = 1, n
      a(i) = a(i) * b(2 * i - 1) + b(2 * i)
    end do
  end subroutine

  subroutine alone(a, b, c, n)
    integer :: n, i
    real(8) :: a(n), b(2 * n), c(n)
    do i = 1, n
      a(i) = (b(2 * i) - c(i)) * a(i)
    end do
    do i = 1, n
      c(i) = (b(2 * i - 1) - c(i)) * a(i) + b(i)
    end do
  end subroutine

  subroutine backwards(a, b, c, n)
    integer :: n, i
    real(8) :: a(n), b(2 * n), c(n)
    do i = n, 1, -1
      c(i) = (b(2 * i - 1) - c(i)) * a(i) + b(2 * i)
    end do
    do i = 1, n
      a(n + 1 - i) = (b(2 * (n - i) + 1) - c(n + 1 - i)) * a(n + 1 - i)
    end do
  end subroutine

  subroutine singles(d, e, n)
    integer :: n, i
    real(4) :: d(n), e(2 * n)
    do i = 1, n
      d(i) = d(i) * e(2 * i) + e(2 * i - 1) * d(i)
    end do
    do i = 1, n
      d(i) = (d(i) - e(2 * i)) * d(i)
    end do
  end subroutine

  subroutine integers(m, l, p, q, n)
    integer :: n, i
    integer :: m(n), l(2 * n)
    integer(8) :: p(n), q(2 * n)
    do i = 1, n
      m(i) = m(i) + l(2 * i) - ieor(l(2 * i - 1), m(i))
    end do
    do i = 1, n
      p(i) = p(i) + q(2 * i) - ieor(q(2 * i - 1), p(i))
    end do
    do i = 1, n
      m(i) = m(i) - 3 * l(2 * i)
      p(i) = p(i) - 2 * q(2 * i - 1)
    end do
  end subroutine

  subroutine counter(c, a, n)
    integer :: n, i, k
    real(8) :: c(n), a(2 * n)
    k = -1
    do i = 1, n
      k = k + 2
      c(i) = a(k) + a(k + 1)
    end do
  end subroutine

  subroutine mixed(c, e, n)
    integer :: n, i
    real(8) :: c(n)
    real(4) :: e(2 * n)
    do i = 1, n
      c(i) = c(i) * e(2 * i) + (c(i) - e(2 * i - 1)) * e(i)
    end do
  end subroutine
end program
