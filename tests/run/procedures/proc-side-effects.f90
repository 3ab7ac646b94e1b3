! Functions with side effects in expressions: each call happens, left to right.
module effects
  implicit none
  integer :: trace = 0
contains
  integer function note(n)
    integer, intent(in) :: n
    trace = trace * 10 + n
    note = n
  end function note
end module effects
program proc_side_effects
  use effects
  implicit none
  integer :: a(9), k
  a = 0
  k = note(1) + note(2) * note(3)
  print *, k, trace
  trace = 0
  a(note(4)) = note(5)
  print *, a(4)
  trace = 0
  if (note(1) > 0) k = note(6)
  print *, k, trace
  trace = 0
  k = max(note(3), note(7), note(2))
  print *, k, trace
end program
