! I edit descriptors: widths, minimum digits, overflow, zero width, B O Z.
program io_format_integer
  implicit none
  integer :: i
  i = 1234
  write (*, '(i6, i4, i3, i0, i2)') i, i, i, i, -7
  write (*, '(i8.6, i5.2, i4.0, i6.4)') i, 3, 0, -12
  write (*, '(sp, i5, s, i5, ss, i5)') 5, 6, 7
  write (*, '(b8, b10.8, o6, z6, z0)') 10, 10, 64, 48879, 255
  write (*, '(a, i0, a)') '[', -99, ']'
  write (*, 100) (i, i = 1, 7)
100 format (3i3)
end program
