! Jumps to labels that nobody defines.
program label_undefined
  implicit none
  integer :: i
  i = 2
  go to 10
  if (i) 20, 30, 20
30 continue
  go to (30, 40), i
  read (*, *, end=50) i
  write (*, 60) i
end program
