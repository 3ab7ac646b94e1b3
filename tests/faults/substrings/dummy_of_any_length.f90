! told at 5:11: Substring out of bounds: upper bound (5) of 's' exceeds string length (4)
subroutine fill(s, n)
  character(*) :: s
  integer :: n
  s(n - 1:n) = 'xy'
end subroutine
program fault
  character(8) :: a(2)
  a = ' '
  call fill(a(2)(1:4), 5)
  print *, a
end program
