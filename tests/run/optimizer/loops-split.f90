! Loops with a comparison of their variable: each limit inside, at the ends, before and behind the loop; comparisons of all kinds, both ends,
! the largest integers; CSHIFT and EOSHIFT.
program splits
  implicit none
  integer :: m, n, a(60), b(60), i
  integer, parameter :: ends(9) = [-huge(1) - 1, -5, 0, 1, 2, 20, 40, 41, huge(1)]
  do i = 1, 60
    b(i) = i * i
  end do
  do n = 1, 9
    call below(a, b, 40, ends(n))
    call above(a, b, 40, ends(n))
    call between(a, b, 40, 7, ends(n))
    call largest(a, ends(n))
  end do
  do n = -61, 61, 20
    m = n
    a = cshift(b, m)
    print *, a(1), a(17), sum(a(1:20))
    a = eoshift(b, m)
    print *, a(1), a(17), sum(a(1:20))
    a = eoshift(b(60:1:-1), m, -9)
    print *, a(1), a(17), sum(a(1:20))
  end do
contains
  subroutine below(a, b, n, m)
    integer :: a(*), b(*), n, m, i, k
    k = 0
    do i = 1, n
      if (i < m) then
        a(i) = b(i)
      else
        a(i) = -b(i)
        k = k + 1
      end if
    end do
    print *, m, k, sum(a(1:n)), a(19:21)
  end subroutine

  subroutine above(a, b, n, m)
    integer :: a(*), b(*), n, m, i
    do i = 0, n - 1
      if (m <= i) a(i + 1) = b(i + 1) + 1
      a(i + 1) = a(i + 1) + merge(5, 7, i >= m)
    end do
    print *, sum(a(1:n)), a(19:21)
  end subroutine

  subroutine between(a, b, n, l, m)
    integer :: a(*), b(*), n, l, m, i, k
    k = 0
    do i = 1, n
      if (i > l .and. i <= m) then
        a(i) = 3 * b(i)
        k = k + i
      end if
      if (i > l) k = k + 1000
    end do
    print *, k, sum(a(1:n)), a(19:21)
  end subroutine

  subroutine largest(a, m)
    integer :: a(*), m, i, k, l
    k = 0
    l = 0
    do i = 1, 9
      if (i + huge(1) - 9 < m) k = k + i
      if (i - 9 > m) l = l + i
    end do
    print *, k, l
  end subroutine
end program
