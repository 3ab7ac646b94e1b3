! A DO without END DO.
program end_missing_do
  implicit none
  integer :: i
  do i = 1, 3
    print *, i
end program
