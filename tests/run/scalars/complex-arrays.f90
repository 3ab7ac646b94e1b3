! Arrays of complex numbers: a discrete Fourier transform with exact roots.
program complex_arrays
  implicit none
  complex(kind=8) :: x(4), y(4), root(0:3)
  integer :: j, k
  root = (/ (1.0d0, 0.0d0), (0.0d0, -1.0d0), (-1.0d0, 0.0d0), (0.0d0, 1.0d0) /)
  do k = 1, 4
    x(k) = cmplx(dble(k), dble(k * k), 8)
  end do
  do k = 0, 3
    y(k + 1) = 0
    do j = 0, 3
      y(k + 1) = y(k + 1) + x(j + 1) * root(mod(j * k, 4))
    end do
  end do
  print *, y
  print *, sum(x), conjg(x(2:3)), maxval(abs(y)) > 30.0d0
end program
