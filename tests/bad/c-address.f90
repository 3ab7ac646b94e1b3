program p
  use iso_c_binding
  print *, c_associated(1)
end program
