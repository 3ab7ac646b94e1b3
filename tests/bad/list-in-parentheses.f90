! A list in parentheses that is no implied DO, and a line for a preprocessor that does not run.
# define nothing
program p
  implicit none
  print *, (1, 2, 3)
end program
