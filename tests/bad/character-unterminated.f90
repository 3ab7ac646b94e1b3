! Character constants that never end.
program character_unterminated
  implicit none
  print *, 'never closed
  print *, "nor this one'
  print *, 'fine'
end program
