! Complex numbers take two descriptors; arrays and expressions in lists.
program io_format_complex
  implicit none
  complex :: z(2)
  complex(kind=8) :: w
  z = (/ (1.0, 2.0), (-3.5, 0.25) /)
  w = z(1) * z(2)
  write (*, '(2f8.3)') z
  write (*, '(''('', f6.2, '','', f6.2, '')'')') w, conjg(w)
  write (*, '(4e10.2)') z
  write (*, '(a, 2(1x, f5.1), i4)') 'z', z(2), 7
end program
