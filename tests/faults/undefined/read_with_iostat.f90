! told at 7:16: Variable 'b' is used before it has a value
! flags: -fcheck=undefined
program fault
  integer :: a, b, e
  character(4) :: s = '12'
  read (s, *, iostat=e) a, b
  print *, a + b
end program
