! Loops of 0 to 40 iterations in vectors of every length: reals and integers of both sizes, masks, reductions, the DO variable, backwards
program vector_lengths
  implicit none
  integer :: n
  real(8) :: d
  integer(8) :: k
  d = 0
  k = 0
  do n = 0, 40
    call reals8(n, d)
    call reals4(n, d)
    call integers4(n, k)
    call integers8(n, k)
    call masks(n, d, k)
    call kept(n, d)
  end do
  print '(es22.14, i12)', d, k
contains
  subroutine reals8(n, d)
    integer, intent(in) :: n
    real(8), intent(inout) :: d
    real(8) :: a(-1:41), b(-1:41), c(-1:41), x
    integer :: i
    do i = -1, 41
      a(i) = i * 0.5d0
      b(i) = 40 - i
      c(i) = mod(i * 7, 5) - 2
    end do
    x = n + 0.25d0
    do i = 1, n
      a(i) = a(i) * b(i) + x - b(i) / 3
      c(i) = sign(sqrt(abs(a(i))), c(i)) - abs(b(i) - 20)
    end do
    do i = n, 1, -1
      b(i) = b(i - 1) + max(a(i), c(i)) * min(c(i), 1.5d0)
    end do
    do i = 1, n
      a(i) = -a(i) + i
    end do
    d = d + sum(a) + sum(b) - sum(c)
  end subroutine

  subroutine reals4(n, d)
    integer, intent(in) :: n
    real(8), intent(inout) :: d
    real(4) :: a(0:41), b(0:41)
    integer :: k(0:41), i
    do i = 0, 41
      a(i) = 1.0 / (i + 1)
      b(i) = i - 20
      k(i) = i * i - 100
    end do
    do i = 1, n
      a(i) = a(i) + k(i) * 0.125 - b(i) * b(i)
      b(i) = sign(a(i), b(i)) + i
    end do
    d = d + sum(a) - sum(b)
  end subroutine

  subroutine integers4(n, total)
    integer, intent(in) :: n
    integer(8), intent(inout) :: total
    integer :: a(0:41), b(0:41), i, s, most, least, bits
    do i = 0, 41
      a(i) = mod(i * 37, 101) - 50
      b(i) = i
    end do
    s = n
    most = -1000
    least = 1000
    bits = 0
    do i = 1, n
      b(i) = iand(a(i) * 12 + ishft(b(i), 3), 1023) - shifta(a(i), 2) + ieor(i, 5)
    end do
    do i = 1, n
      s = s + a(i) * 3 - b(i)
      most = max(most, a(i))
      least = min(least, b(i))
      bits = ior(bits, b(i))
    end do
    total = total + s + most + least + bits + sum(b) + sum(abs(a))
  end subroutine

  subroutine integers8(n, total)
    integer, intent(in) :: n
    integer(8), intent(inout) :: total
    integer(8) :: a(0:41), b(0:41), s
    integer :: i
    do i = 0, 41
      a(i) = 10000000000_8 * i - 7
      b(i) = -i
    end do
    s = 0
    do i = 1, n
      b(i) = ior(a(i) + b(i) * 9, 255_8) + i
    end do
    do i = 1, n
      s = s + b(i)
    end do
    total = total + mod(s, 1000003_8) + mod(sum(b), 1000_8)
  end subroutine

  subroutine masks(n, d, total)
    integer, intent(in) :: n
    real(8), intent(inout) :: d
    integer(8), intent(inout) :: total
    real(8) :: a(0:41), b(0:41)
    real(4) :: x(0:41)
    logical :: l(0:41)
    integer :: k(0:41), i, count_of, more
    do i = 0, 41
      a(i) = mod(i * 11, 13) - 6
      b(i) = i
      x(i) = mod(i * 5, 7) - 3
      k(i) = i - 13
      l(i) = mod(i, 3) == 0
    end do
    count_of = 0
    more = 0
    do i = 1, n
      if (a(i) > 0) then
        b(i) = b(i) / a(i)
        count_of = count_of + 1
      else if (a(i) < -3) then
        b(i) = sqrt(-a(i))
      else
        b(i) = a(i) + 1
      end if
    end do
    do i = 1, n
      if (x(i) /= 1.0) more = more + 2
      x(i) = merge(x(i) * 2, -x(i), k(i) > 5)
    end do
    where (k(1:n) < 0)
      k(1:n) = -k(1:n)
    elsewhere
      k(1:n) = k(1:n) + 1
    end where
    do i = 1, n
      l(i) = l(i) .neqv. (k(i) > 6 .and. x(i) < 2)
    end do
    d = d + sum(b) + sum(x)
    total = total + count_of + more + sum(k) + count(l)
  end subroutine

  ! The vector stays over calls and over an outer loop.
  subroutine kept(n, d)
    integer, intent(in) :: n
    real(8), intent(inout) :: d
    real(8) :: a(41, 3), x, y
    integer :: i, j
    a = 0.5d0
    x = exp(0.01d0 * n)
    y = x
    do j = 1, 3
      do i = 1, n
        a(i, j) = a(i, j) * x + y * j
      end do
      y = log(y + j)
    end do
    d = d + sum(a) + y
  end subroutine
end program
