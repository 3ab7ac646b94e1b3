program p
  name: print *, 1
end program
