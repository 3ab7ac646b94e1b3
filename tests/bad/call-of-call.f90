! CALL needs a name.
program main
  character(len=4) :: c
  call snull()(c, c)
end program
