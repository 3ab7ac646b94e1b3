! A block IF without END IF, inside a loop.
program end_missing_if
  implicit none
  integer :: i
  do i = 1, 3
    if (i == 2) then
      print *, i
  end do
end program
