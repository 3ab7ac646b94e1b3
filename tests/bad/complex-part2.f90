program p
  complex :: z
  z = (1.0, .true.)
end program
