! A L X T TL TR / : quotes, repetition, nesting, reversion.
program io_format_other
  implicit none
  integer :: i
  write (*, '(a, a3, a8, a)') 'ab', 'abcdef', 'right', '.'
  write (*, '(l1, l4, l2)') .true., .false., .true.
  write (*, '(1x, i2, 3x, i2, tr2, i2)') 1, 2, 3
  write (*, '(t10, a, t1, a, t5, a)') 'ten', 'one', 'five'
  write (*, '(a, tl2, a)') 'abcd', 'X'
  write (*, '(i2, /, i2, //, i2)') 1, 2, 3
  write (*, '(i3, :, '' more'', i3)') 1
  write (*, '(i3, :, '' more'', i3)') 1, 2
  write (*, '(2(i2, '','', 2(i3, 1x)), a)') 1, 2, 3, 4, 5, 6, 'end'
  write (*, '(''head'', 2(i3, ''|''))') (i, i = 1, 6)
  write (*, '(i1, (i3, a))') 1, 2, 'x', 3, 'y', 4, 'z'
  write (*, '(4htext, 1x, 3hend)')
  write (*, '(''it''''s'', " a ""word""")')
end program
