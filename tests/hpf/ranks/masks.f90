! WHERE with masks, sides and sections that are aligned, shifted, in turns and replicated; conditions of array assignments in loops.
program masks
  integer, parameter :: n = 14
  real :: a(n, n), b(n, n), c(n, n), d(n, n), v(n), w(n)
  logical :: m(n, n)
  integer :: i, j, k
!HPF$ PROCESSORS p(2, 2)
!HPF$ DISTRIBUTE a(BLOCK, BLOCK) ONTO p
!HPF$ ALIGN (i, j) WITH a(i, j) :: b, m
!HPF$ DISTRIBUTE c(*, CYCLIC(2))
!HPF$ ALIGN v(i) WITH a(i, *)
!HPF$ DISTRIBUTE w(CYCLIC)
  do j = 1, n
    do i = 1, n
      a(i, j) = i + j
      b(i, j) = mod(i * j, 7)
      c(i, j) = i - j
      d(i, j) = mod(i, 3)
      m(i, j) = mod(i + j, 3) == 0
    end do
    v(j) = j
    w(j) = -j
  end do
  do k = 1, 3
    where (m)
      a = b
    elsewhere (b > 3)
      a = a + b
      b = a
    elsewhere
      b = b + 1
    end where
    where (a > 5) b = c
    where (c(2:n, :) > 0) a(1:n - 1, :) = c(2:n, :)
    where (d == 1) c = a
    where (a > b) d = a
    where (v > 4) v = w
    where (w < -3) w = w + v
    where (a(:, 3) > 4) a(:, 3) = a(:, 3) - v
    where (v > 2) v = cshift(v, 1)
    do i = 1, n
      where (b(i, :) > 2) b(i, :) = b(i, :) - c(i, :)
    end do
    c = merge(a, b, m .and. c > 0)
    forall (i = 1:n, j = 1:n, a(i, j) > 6) b(i, j) = a(i, j) - 6
    m = .not. m
  end do
  print '(14f8.1)', a, b, c, d, v, w
end program
