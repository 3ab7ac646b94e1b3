! Typographic quotes, as text processors make them.
program bytes_quotes
  implicit none
  print *, ‘text’
  print *, “text”
end program
