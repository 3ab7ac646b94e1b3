! Formats in character variables and arrays, built at run time.
program io_format_variable
  implicit none
  character(len=20) :: f
  character(len=8) :: parts(3)
  integer :: n, i
  do n = 1, 3
    write (f, '(a, i1, a)') '(', n, 'i5, a)'
    write (*, f) (n * 10, i = 1, n), 'end'
  end do
  parts = (/ '(1x,    ', 'i4,     ', 'f8.2)   ' /)
  write (*, parts) 3, 4.5
  f = '(a, i'
  write (*, trim(f) // '3)') 'joined', 12
end program
