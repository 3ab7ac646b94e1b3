! Complex numbers in vectors: products, sums, conjugates, parts, numbers made of parts, mixed with reals, gathered, and butterflies
! that write one array in two places, from 0 to 20 of them, at distances that vectors may and may not have.
program complex_lanes
  implicit none
  integer, parameter :: n = 64
  complex(8) :: a(n), b(n), c(n), w(n)
  complex(4) :: e(n), f(n), g(n)
  real(8) :: r(n), q(n)
  real(4) :: s(n), t(n)
  integer :: i, k, m

  do m = 0, 20
    call set()
    call products(a, b, c, m, (1.5d0, -0.25d0))
    call parts(a, b, r, q, m)
    call back(a, r, q, m)
    call singles(e, f, s, m, (0.5, 2.0))
    call single_parts(e, g, s, t, m)
    call spread_out(a, w, c, m)
    call of_reals(s, t, r, q, m, (0.5, 2.0), (1.5d0, -0.25d0))
    call show()
  end do
  do m = 0, 12
    do k = -6, 6
      call set()
      call butterflies(a, w, 20, k, m, 3)
      call reals(r, q, 20, k, m)
      call chosen(q, r, 20, k, m)
      call show()
    end do
  end do
  call special()

contains

  subroutine set()
    do i = 1, n
      a(i) = cmplx(i * 0.5d0, 3 - i * 0.25d0, 8)
      b(i) = cmplx(1 / (i + 1d0), i - 7, 8)
      c(i) = cmplx(i, -i, 8)
      w(i) = cmplx(cos(i * 0.1d0), sin(i * 0.1d0), 8)
      e(i) = cmplx(i * 0.5, 3 - i * 0.25)
      f(i) = cmplx(1 / (i + 1.0), i - 7)
      g(i) = cmplx(i, -i)
      r(i) = i * 0.125d0 - 2
      q(i) = 1 / (i + 2d0)
      s(i) = i * 0.125 - 2
      t(i) = 1 / (i + 2.0)
    end do
  end subroutine

  subroutine show()
    integer(8) :: bits
    bits = 0
    do i = 1, n
      bits = mix(mix(mix(mix(bits, real(a(i))), aimag(a(i))), real(b(i))), aimag(b(i)))
      bits = mix(mix(mix(mix(bits, real(c(i))), aimag(c(i))), r(i)), q(i))
      bits = mix(mix(mix(bits, dble(real(e(i)))), dble(aimag(e(i)))), dble(real(f(i))))
      bits = mix(mix(mix(mix(bits, dble(aimag(f(i)))), dble(real(g(i)))), dble(s(i))), dble(t(i)))
    end do
    print '(i0, 1x, z16.16, 4(1x, es12.4))', m, bits, a(2), r(3), q(4)
  end subroutine

  integer(8) function mix(bits, x)
    integer(8) :: bits
    real(8) :: x
    mix = ieor(ishftc(bits, 7), transfer(x, bits))
  end function

  subroutine products(a, b, c, n, z)
    integer :: n, i
    complex(8) :: a(n), b(n), c(n), z, t
    do i = 1, n
      t = a(i) * b(i) - z
      c(i) = -t * c(i) + a(i)
      b(i) = t - z * b(i)
    end do
  end subroutine

  subroutine parts(a, b, r, q, n)
    integer :: n, i
    complex(8) :: a(n), b(n)
    real(8) :: r(n), q(n)
    do i = 1, n
      a(i) = conjg(a(i)) * r(i) + cmplx(q(i), r(i), 8)
      b(i) = b(i) + aimag(a(i)) * conjg(b(i)) * q(i)
    end do
  end subroutine

  subroutine back(a, r, q, n)
    integer :: n, i
    complex(8) :: a(n)
    real(8) :: r(n), q(n)
    do i = 1, n
      r(i) = real(a(i)) * aimag(a(i)) + q(i)
      q(i) = real(a(i) * conjg(a(i))) - r(i)
    end do
  end subroutine

  subroutine singles(e, f, s, n, z)
    integer :: n, i
    complex(4) :: e(n), f(n), z, t
    real(4) :: s(n)
    do i = n, 1, -1
      t = e(i) * f(i) - z
      e(i) = -t * s(i)
      f(i) = t * aimag(t) + conjg(f(i))
    end do
  end subroutine

  subroutine single_parts(e, g, s, t, n)
    integer :: n, i
    complex(4) :: e(n), g(n)
    real(4) :: s(n), t(n)
    do i = 1, n
      g(i) = cmplx(s(i) + t(i), s(i) - t(i)) * e(i)
      s(i) = real(g(i)) - aimag(e(i))
    end do
  end subroutine

  subroutine spread_out(a, w, c, n)
    integer :: n, i
    complex(8) :: a(n), w(*), c(n)
    do i = 1, n
      c(i) = w(3 * i) * c(i) + w(65 - i) * a(i) * w(i)
    end do
  end subroutine

  ! Complex numbers that are in no array.
  subroutine of_reals(s, t, r, q, n, y, z)
    integer :: n, i
    real(4) :: s(n), t(n)
    real(8) :: r(n), q(n)
    complex(4) :: y
    complex(8) :: z
    do i = 1, n
      s(i) = real(y * cmplx(t(i), s(i))) + aimag(y * s(i))
    end do
    do i = 1, n
      r(i) = real(z * cmplx(q(i), r(i), 8)) + aimag(z * r(i))
    end do
  end subroutine

  subroutine butterflies(x, w, k, half, n, step)
    integer :: k, half, n, step, j
    complex(8) :: x(*), w(*), t
    do j = 0, n - 1
      t = w(j * step + 1) * x(k + j + half)
      x(k + j + half) = x(k + j) - t
      x(k + j) = x(k + j) + t
    end do
  end subroutine

  subroutine reals(x, y, k, half, n)
    integer :: k, half, n, j
    real(8) :: x(*), y(*), t
    do j = 0, n - 1
      t = y(j + 1) * x(k + j + half)
      x(k + j + half) = x(k + j) - t
      x(k + j) = x(k + j) + t
    end do
  end subroutine

  subroutine chosen(x, y, k, half, n)
    integer :: k, half, n, j
    real(8) :: x(*), y(*)
    do j = 0, n - 1
      x(k + j + half) = y(k + j)
      if (y(j + 1) > -1.5d0) x(k + j) = y(j + 1) * 2
    end do
  end subroutine

  subroutine special()
    complex(8) :: u(8), v(8), z(8)
    real(8) :: huge_one, zero
    integer :: i
    huge_one = huge(huge_one)
    zero = 0
    u = [(cmplx(i, -i, 8), i = 1, 8)]
    v = (-0d0, 0d0)
    u(2) = cmplx(huge_one * 2, 1d0, 8)
    u(3) = cmplx(-zero, zero, 8)
    u(5) = cmplx(huge_one, huge_one, 8)
    v(5) = u(5)
    v(6) = cmplx(1d0, -zero, 8)
    call times(u, v, z, 8)
    print '(4es12.3)', z
    call times(v, u, z, 8)
    print '(4es12.3)', z
  end subroutine

  subroutine times(u, v, z, n)
    integer :: n, i
    complex(8) :: u(n), v(n), z(n)
    do i = 1, n
      z(i) = u(i) * v(i)
    end do
  end subroutine
end program
