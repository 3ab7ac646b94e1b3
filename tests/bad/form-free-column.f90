! Continuation that leads nowhere; a label without a statement.
program form_free_column
  implicit none
  integer :: i
  i = 1 + &

  ! only comments follow
end program
