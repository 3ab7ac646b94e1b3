! QUIET in STOP and ERROR STOP: the code is the exit code all the same
program quiet
  implicit none
  logical(1) :: no = .false.
  integer :: n
  n = 3
  print *, 'before'
  if (n == 1) stop 'not here', quiet=.true.
  if (n == 2) error stop, quiet=no
  stop n + 4, quiet=.not. no
end program
