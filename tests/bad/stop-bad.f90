! STOP with what is no code.
program stop_bad
  implicit none
  logical :: l
  l = .true.
  if (l) stop .true.
  if (l) stop 1.5
end program
