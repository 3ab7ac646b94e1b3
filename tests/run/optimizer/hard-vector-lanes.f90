! Loops of vectors: all operations, both directions, rests of every length, distances known when a loop begins
program lanes
  implicit none
  integer, parameter :: n = 64
  real(8) :: a(n), b(n), c(n)
  real(4) :: p(n), q(n)
  integer :: k(n), m(n), i, t, last
  integer(8) :: u(n), v(n)
  common /both/ a, b, p, q
  call start()
  do last = 18, 27
    call reals(last)
    call integers(last)
  end do
  do i = 1, last
    c(i) = merge(a(i), b(i), a(i) > b(i))
  end do
  print '(4es20.12)', a(1:30:3), b(1:30:3), c(1:27:3)
  print '(6es12.4)', p(1:30:4), q(1:30:4)
  print '(8i9)', k(1:30), m(1:30)
  print '(5i14)', u(1:30:2), t
  call start()
  do i = -9, 9, 2
    call distance(i)
  end do
  print '(8i9)', k(1:40)
  call backwards()
  print '(8i9)', k(1:40:2), m(1:40:2)
  print '(4es20.12)', a(1:30:3)
contains
  subroutine start()
    integer :: i
    do i = 1, n
      a(i) = i * 0.375d0 - 10
      b(i) = mod(i * 7, 11) - 5
      c(i) = i
      p(i) = i * 0.5 - 20
      q(i) = mod(i * 5, 13) - 6
      k(i) = mod(i * 31, 17) - 8
      m(i) = i
      u(i) = i * 3
      v(i) = 100 - i
    end do
  end subroutine

  subroutine reals(last)
    integer, intent(in) :: last
    integer :: i
    do i = 1, last
      a(i) = b(i + 1) * 0.5d0 + sqrt(abs(a(i))) - max(b(i), c(i)) / (c(i) + 1)
      b(i) = -a(i)
    end do
    do i = 2, last
      p(i) = sign(p(i), q(i)) * 0.25 + min(q(i), p(i + 1))
      q(i) = -p(i) / 3.0 + real(k(i))
    end do
  end subroutine

  subroutine integers(last)
    integer, intent(in) :: last
    integer :: i
    do i = 3, last
      t = k(i) * 6 - m(i)
      k(i) = iand(max(t, k(i + 1)), 1023) + ieor(m(i), 5)
      m(i) = abs(min(t, m(i + 2))) - not(ior(k(i), 3))
    end do
    do i = 1, last
      u(i) = u(i) * 8 + v(i) - 7 - u(i) * 7
    end do
  end subroutine

  ! What is read is behind, at, or before what is written.
  subroutine distance(far)
    integer, intent(in) :: far
    integer :: i
    do i = 15, 45
      k(i) = k(i + far) + m(i)
    end do
  end subroutine

  subroutine backwards()
    integer :: i, s
    do i = 39, 2, -1
      s = k(i) + k(i - 1)
      m(i) = s - m(i - 1)
    end do
    k(1) = s
    do i = 30, 1, -1
      a(i) = a(31 - i) * 2
    end do
    do i = 1, 20
      k(41 - i) = m(42 - i) - k(40 - i)
    end do
  end subroutine
end program
