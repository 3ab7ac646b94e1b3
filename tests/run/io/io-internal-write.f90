! WRITE to character variables, substrings and arrays.
program io_internal_write
  implicit none
  character(len=12) :: s, v(3)
  integer :: i
  write (s, '(i5)') 42
  print *, '[', s, ']'
  write (s(3:8), '(f6.2)') 3.14159
  print *, '[', s, ']'
  write (v, '(a, i2)') ('row', i, i = 1, 3)
  print *, v
  write (s, *) 17
  print *, '[', s, ']'
  s = 'keep'
  write (s(5:), '(a)') '-this'
  print *, '[', s, ']'
  do i = 1, 3
    write (v(i), '(a, i0)') 'name', i * i
  end do
  print *, v
end program
