! Command line, environment, and what runs commands.
program p
  implicit none
  character(len=20) :: s
  integer :: n, st
  print *, command_argument_count()
  call get_command_argument(1, s, n, st)
  print *, '[', s, ']', n, st /= 0
  call get_environment_variable('TRUELINE_NO_SUCH_VARIABLE', s, n, st)
  print *, '[', s, ']', n, st
  call get_command(length=n, status=st)
  print *, n > 0, st
  call execute_command_line('exit 3', exitstat=n, cmdstat=st)
  print *, n, st
  call execute_command_line('true', wait=.true.)
end program
