program p
  if (.true.) do i = 1, 3
end program
