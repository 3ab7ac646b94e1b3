program p
  use, internal :: m
end program
