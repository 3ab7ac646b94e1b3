! told at 9:12: Variable 'a' is used before it has a value: element (4)
! flags: -fcheck=undefined
program fault
  integer :: a(4), i
  character(len=8) :: text
  text = ' 1 2 3'
  read (text, *) (a(i), i = 1, 3)
  print *, a(3)
  print *, a(4)
end program
