! Loops in vectors with a number of iterations that is not known do two vectors at a time, then perhaps one, and then single
! iterations: of 0 to 40 iterations, up and down, with overlaps, a counter, a sum of integers, and in a triangle.
program vectors_twice
  implicit none
  integer, parameter :: n = 100
  real(8) :: a(n), b(n)
  real(4) :: c(n), d(n)
  integer :: k(n), l(n), i, j, m, s
  integer(8) :: p(n)

  do m = 0, 40
    do i = 1, n
      a(i) = 1d0 / i
      b(i) = i * 0.25d0
      c(i) = i + 0.5
      d(i) = 3.0 / i
      k(i) = mod(7 * i, 31)
      l(i) = i
      p(i) = 3 * i
    end do
    call shifted(a, b, m, mod(m, 9))
    call down(b, m)
    call singles(c, d, m)
    call integers(k, l, p, m, s)
    call numbered(l, a, m)
    call triangle(a, d, mod(m, 10))
    write (*, '(i3, 2es23.15, 2es15.7, 4i8)') m, sum(a), sum(b), sum(c), sum(d), sum(k), sum(l), sum(p), s
  end do

contains

  subroutine shifted(a, b, m, by)
    integer, intent(in) :: m, by
    real(8) :: a(n), b(n)
    integer :: i
    do i = 1, m
      a(i) = a(i + by) * 0.5d0 + b(i)
    end do
    do i = 1, m
      a(i + by) = a(i) * 0.5d0 - b(i)
    end do
  end subroutine

  subroutine down(b, m)
    integer, intent(in) :: m
    real(8) :: b(n)
    integer :: i
    do i = m, 1, -1
      b(i + 1) = b(i) + 1
    end do
  end subroutine

  subroutine singles(c, d, m)
    integer, intent(in) :: m
    real(4) :: c(n), d(n), last
    integer :: i
    last = 0
    do i = 1, m
      last = c(i) * 2
      d(i) = last - d(i)
    end do
    d(n) = last
  end subroutine

  subroutine integers(k, l, p, m, s)
    integer, intent(in) :: m
    integer :: k(n), l(n), s, i
    integer(8) :: p(n)
    s = 0
    do i = 1, m
      s = s + k(i)
    end do
    do i = 1, m
      k(i) = max(k(i), 2 * i - s)
    end do
    do i = 1, m
      p(i) = p(i) - 5
    end do
  end subroutine

  subroutine numbered(l, a, m)
    integer, intent(in) :: m
    integer :: l(n), i
    real(8) :: a(n)
    do i = 1, m
      l(i) = i + m
    end do
    do i = 1, m
      a(i) = a(i) + i
    end do
  end subroutine

  subroutine triangle(a, d, m)
    integer, intent(in) :: m
    real(8) :: a(10, 10)
    real(4) :: d(10, 10)
    integer :: i, j
    do j = 1, m
      do i = 1, j
        a(i, j) = a(i, j) * 2
      end do
      do i = j + 1, m
        d(i, j) = d(i, j) + 1
      end do
    end do
  end subroutine
end program
