! Character functions in concatenations, with results of several lengths.
program char_in_common
  implicit none
  character(len=7) :: a, b
  character(len=20) :: all
  common /text/ a, b, all
  a = 'left'
  b = 'right'
  call join
  print *, all, '|'
  a(5:) = b(1:3)
  b = a(2:)
  call join
  print *, all, '|', len_trim(all)
end program
subroutine join
  implicit none
  character(len=7) :: x, y
  character(len=20) :: z
  common /text/ x, y, z
  z = trim(x) // ' and ' // y
end subroutine
