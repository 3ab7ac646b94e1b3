! More items than descriptors: reversion to the last group, new records.
program io_format_reversion
  implicit none
  integer :: i
  write (*, '(i4)') (i, i = 1, 3)
  write (*, '(a, i3, 2(i4, ''-''))') 'x', 1, 2, 3, 4, 5, 6
  write (*, '(2i3, (3i5))') (i, i = 1, 9)
  write (*, '(*(i0, '',''))') (i, i = 1, 12)
  write (*, '(f4.1, i3)') 1.5, 2, 2.5, 3
end program
