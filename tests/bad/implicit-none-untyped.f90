! An attribute alone does not give a type.
program implicit_none_untyped
  implicit none
  dimension a(3)
  save b
  parameter (n = 3)
  a(1) = 1
end program
