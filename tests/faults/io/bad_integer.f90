! told at 5:3: Bad value during integer read
program fault
  integer :: n
  character(3) :: s = '1x2'
  read (s, '(I3)') n
  print *, n
end program
