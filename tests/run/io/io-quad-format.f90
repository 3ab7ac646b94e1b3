! REAL(16) under every edit descriptor, with scale factors, signs and rounding modes.
program io_quad_format
  implicit none
  real(16) :: x(12)
  integer :: i
  x = [0.0_16, 1.0_16, -1.0_16, 0.1_16, 123456.789_16, 1e-10_16, 1e40_16, -1e-4900_16, 1e4900_16, &
    9.99999999999999999999999999999999999_16, 0.5_16, 2.5_16]
  do i = 1, 12
    print *, x(i)
    write (*, '(f50.10,1x,e50.40,1x,e20.10e4,1x,es45.35e4,1x,en45.30,1x,d30.20)') x(i), x(i), x(i), x(i), x(i), x(i)
    write (*, '(g0,1x,g50.36,1x,g20.5e4,1x,es0.3,1x,e0.10,1x,g0.20)') x(i), x(i), x(i), x(i), x(i), x(i)
    write (*, '(1p,e50.40,1x,f60.10,1x,g45.30,-2p,e30.20)') x(i), x(i), x(i), x(i)
    write (*, '(ru,f12.3,1x,rd,f12.3,1x,rz,f12.3,1x,rn,f12.3,1x,rc,f12.3)') x(i), x(i), x(i), x(i), x(i)
    write (*, '(ru,es12.3,1x,rd,es12.3,1x,sp,g30.15,1x,dc,f0.3,dp,1x,b128,1x,z32)') x(i), x(i), x(i), x(i), x(i), x(i)
  end do
  write (*, '(2f20.10)') (1.0_16, 2.5_16)
  x(3) = huge(x(1))
  write (*, '(3g20.8)') x(3) * 2, -x(3) * 2, x(2) / 3
  write (*, *) (0.1_16, -3.0e100_16), (1.0_16, 2.0_16)
  write (*, '(5f8.2)') x(1:5)
end program
