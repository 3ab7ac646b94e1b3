! REAL AIMAG CMPLX DCMPLX CONJG ABS SQRT, and functions to a few digits.
program complex_intrinsics
  implicit none
  complex :: z
  complex(kind=8) :: w
  z = cmplx(3.0, -4.0)
  print *, real(z), aimag(z), conjg(z), abs(z), sqrt((-4.0, 0.0))
  w = cmplx(1.0d0, 2.0d0, 8)
  print *, w, dimag(w), dconjg(w), cmplx(2), cmplx(1, 2)
  print *, abs((3.0d0, 4.0d0)), cabs(z), int(z), nint(real(w) * 2.5d0)
  write (*, '(2f9.5)') exp((0.0d0, 1.0d0)), log((1.0d0, 1.0d0))
  write (*, '(2f9.5)') sin((1.0d0, 0.5d0)), cos((1.0d0, 0.5d0))
  write (*, '(2f9.5)') (1.0d0, 1.0d0) ** (0.5d0, 0.0d0), 2.0d0 ** (0.0d0, 1.0d0)
end program
