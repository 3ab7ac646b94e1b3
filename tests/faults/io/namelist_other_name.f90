! told at 7:3: Cannot match namelist object name l
program fault
  integer :: k
  character(20) :: s = '&in l = 3 /'
  namelist /in/ k
  k = 0
  read (s, in)
  print *, k
end program
