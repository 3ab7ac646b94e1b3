! told at 7:29: The argument 'ncopies' of 'repeat' is -2, but must be at least 0
! flags: -fcheck=none
program fault
  character(10) :: line
  integer :: margin
  margin = -2
  line = 'x' // repeat('-', margin) // 'y'
  print *, line
end program
