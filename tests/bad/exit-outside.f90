! EXIT and CYCLE outside of a loop, or of the loop they name.
program exit_outside
  implicit none
  integer :: i
  exit
  cycle
  first: do i = 1, 3
  end do first
  do i = 1, 3
    exit first
    cycle nowhere
  end do
end program
