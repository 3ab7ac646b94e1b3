! Sections and expressions as items; reading into sections.
program io_array_sections
  implicit none
  integer :: a(6), m(2, 3)
  character(len=40) :: s
  a = (/ 1, 2, 3, 4, 5, 6 /)
  s = '10 20 30 40 50'
  read (s, *) a(1:5:2), m(1, 1:2)
  print *, a, m(1, 1:2)
  print *, a(6:1:-2), a + 1, a(2) * 2
  read (s, *) a(2), a(a(2) / 5)
  print *, a
  write (*, '(6i4)') a, -a(1:3)
end program
