! Results that go from rank to rank, of arrays whose extents are known at run time only: none at all, one, fewer than ranks, and sections.
program extents
  implicit none
  integer :: n, i, j, k, sizes(5), z
  real(8), allocatable :: a(:, :), s(:), e(:)
!HPF$ DISTRIBUTE a(BLOCK, *)
  sizes = [0, 1, 2, 5, 3]
  do k = 1, 5
    n = sizes(k)
    z = n / 3
    allocate (a(-1:n-2, n), s(n), e(z))
    do j = 1, n
      do i = -1, n - 2
        a(i, j) = i * 10 + j
      end do
    end do
    s = sum(a, dim=1)
    print *, n, s
    e = 0
    s = 0
    do j = 1, n
      do i = -1, n - 2
        s(j) = s(j) + a(i, j)
        if (j <= z) e(j) = e(j) + a(i, j) * 2
      end do
    end do
    print *, s, e
    call inner(a, s, n, n - 1)
    print *, s
    deallocate (a, s, e)
  end do
contains
  subroutine inner(b, s, n, m)
    integer :: n, m, i, j
    real(8) :: b(n, n), s(n)
    real(8) :: w(m), v(n:2*n-1)
!HPF$ DISTRIBUTE b(BLOCK, *)
    w = 1
    v = 0
    do j = 1, m
      do i = 1, n
        w(j) = w(j) + b(i, j) / 2
      end do
    end do
    do i = 1, n
      do j = 1, n
        v(n + j - 1) = v(n + j - 1) * 0.5d0 + b(i, j)
      end do
    end do
    s = v
    if (m > 0) s(1) = s(1) + sum(w)
    s(:m) = s(:m) + maxval(b(:, :m), dim=1)
    s(2:) = s(2:) + sum(b(2:, n:2:-1), dim=1)
  end subroutine
end program
