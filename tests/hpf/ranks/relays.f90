! Sums that the ranks compute one after the other, in the order of the source.
module totals
  implicit none
contains
  subroutine add(x, n, total)
    integer, intent(in) :: n
    real, intent(in) :: x(n)
    real, intent(inout) :: total
    real :: s
    integer :: i
!HPF$ DISTRIBUTE x(BLOCK)
    s = total
    do i = 1, n
      s = s + x(i)
    end do
    total = s
  end subroutine
end module

program relays
  use totals
  implicit none
  integer, parameter :: n = 37
  real :: a(n), b(n), m(n, n), g(10), r(0:n + 4), s, t, few(2)
  double precision :: d
  complex :: c
  integer :: k(n), i, j, step, total
!HPF$ DISTRIBUTE a(BLOCK)
!HPF$ ALIGN WITH a :: b, k
!HPF$ DISTRIBUTE m(*, BLOCK)
!HPF$ DISTRIBUTE r(BLOCK)
!HPF$ DISTRIBUTE few(BLOCK)
!HPF$ PROCESSORS p(2)
!HPF$ DISTRIBUTE g(GEN_BLOCK((/ 7, 3 /))) ONTO p
  do i = 1, n
    a(i) = 1.0 / i
    b(i) = 3.0 - 0.1 * i
    k(i) = mod(i * i, 11) - 4
    do j = 1, n
      m(i, j) = 1.0 / (i + 3 * j)
    end do
  end do
  do i = 0, n + 4
    r(i) = 1.0 / (i + 0.3)
  end do
  do i = 1, 10
    g(i) = 1.0e-3 * i**3
  end do
  few = (/ 0.25, 0.1 /)

  ! Up, down, in steps, and nothing at all.
  s = 1.0e-2
  do i = 1, n
    s = s + a(i)
  end do
  print *, s
  do i = n, 1, -1
    s = s + a(i) * b(i)
  end do
  print *, s
  do i = 2, n, 3
    s = s - b(i)
  end do
  print *, s
  do i = 5, 4
    s = s + a(i)
  end do
  print *, s

  ! Other subscripts, other arrays, other operations and types.
  d = 0
  do i = 3, n - 1
    d = d * 0.5d0 + a(i + 1) * r(n - i)
  end do
  print *, d
  total = 0
  do i = 1, n
    total = total + k(i)
  end do
  c = 1
  do i = 1, n
    c = c * cmplx(a(i), b(i)) + 0.5
  end do
  print *, total, c
  s = 0
  do i = 1, 10
    s = s + g(i)
  end do
  t = 0
  do i = 1, 2
    t = t + few(i)
  end do
  print *, s, t

  ! Two sums at a time, over columns; the intrinsic functions.
  s = 0
  t = 1
  do j = 1, n
    do i = j, n
      s = s + m(i, j)
      t = t + m(i, j) * b(j)
    end do
  end do
  print *, s, t, sum(m), sum(a), dot_product(a, b), sum(k), product(b(1:5)), sum(m(:, 3))

  ! In a loop over time, with other work beside it.
  t = 0
  do step = 1, 4
    do j = 2, n
      do i = 1, n
        m(i, j) = m(i, j) + 1.0e-2 * m(i, j - 1)
      end do
    end do
    s = 0
    do j = 1, n
      do i = 1, n
        s = s + abs(m(i, j))
      end do
    end do
    if (s > 2) t = t + s
    call add(a, n, t)
  end do
  print *, s, t

  ! A sum with a store, or under a condition, is no such sum.
  s = 0
  do i = 1, n
    a(i) = b(i) + i
    s = s + a(i)
  end do
  t = 0
  do i = 1, n
    if (k(i) > 0) t = t + a(i)
  end do
  print *, s, t, i, j
end program
