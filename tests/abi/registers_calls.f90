! Calls of the procedures of tests/abi/registers.f90.
program calls
  use registers
  implicit none
  real(8) :: r, v(4) = [1d0, 2d0, 3d0, 4d0], w(3, 4)
  complex(8) :: z(5)
  integer :: k
  z = [(cmplx(k, -k, 8), k = 1, 5)]
  w = reshape([(k*1d0, k = 1, 12)], [3, 4])
  do k = 1, 2
    r = k
    print '(f14.2)', seven(v(::k), r, r+1, r+2, r+3, r+4, r+5, r+6, (1.5d0, 2.5d0), r+7, (3.5, 4.5))
    print '(2f14.2)', six(z(k:), r, r+1, r+2, r+3, r+4, r+5, (1.5, 2.5), r+6)
    print '(2f14.2)', rows(w(:, ::k), r, r+1, r+2, r+3, r+4, r+5, r+6, (1.5, 2.5), k)
  end do
end program
