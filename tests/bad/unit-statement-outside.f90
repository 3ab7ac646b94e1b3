! Statements after the last END, a second unnamed program.
program unit_statement_outside
  implicit none
  print *, 1
end program
print *, 2
end
