! INT NINT ANINT AINT FLOOR CEILING on both sides of zero and at halves.
program num_rounding
  implicit none
  double precision :: x(8)
  integer :: i
  x = (/ -2.5d0, -1.5d0, -0.5d0, -0.2d0, 0.5d0, 1.5d0, 2.5d0, 2.7d0 /)
  do i = 1, 8
    print *, x(i), int(x(i)), nint(x(i)), floor(x(i)), ceiling(x(i))
    print *, aint(x(i)), anint(x(i))
  end do
  print *, int(-3.99), ifix(3.99), idint(-7.5d0), nint(1e9), nint(3.0e9, 8)
  print *, int(x), nint(real(x))
end program
