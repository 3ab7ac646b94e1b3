! NAMELIST input of elements, sections and strings.
program right
  integer :: a(3)
  character(4) :: c(2)
  character(80) :: text
  namelist /values/ a, c
  a = 0
  c = ' '
  text = "&values a(2) = 5, a(3) = 6, c(1)(2:3) = 'xy', c(2) = 'abcd' /"
  read (text, values)
  print *, a, c
end program
