! told at 7:3: Index 1 out of range for namelist variable a
program fault
  integer :: a(3)
  character(30) :: text = '&values a(5) = 1 /'
  namelist /values/ a
  a = 0
  read (text, values)
  print *, a
end program
