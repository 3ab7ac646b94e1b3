! A wavefront stencil: only the directions of both loops together are legal.
program hard_stencil_wavefront
  implicit none
  integer, parameter :: n = 12
  double precision :: a(0:n, 0:n), b(n, n)
  integer :: i, j, sweep
  do j = 0, n
    do i = 0, n
      a(i, j) = dble(mod(i * 5 + j * 3, 7))
    end do
  end do
  do sweep = 1, 3
    do j = 1, n - 1
      do i = 1, n - 1
        a(i, j) = 0.25d0 * (a(i - 1, j) + a(i + 1, j) + a(i, j - 1) + a(i, j + 1))
      end do
    end do
    do j = n - 1, 1, -1
      do i = 1, n - 1
        b(i, j) = a(i, j) - a(i + 1, j - 1)
        a(i, j) = a(i, j) + 0.125d0 * b(i, j)
      end do
    end do
  end do
  print *, a(1, 1), a(5, 6), a(n - 1, n - 1)
  print *, sum(b(1:n - 1, 1:n - 1))
end program
