program p
  complex :: z = (1.0, 2.0)
  do i = 1, z
  end do
end program
