! STOP with text writes it to the error output; the exit code is zero.
program stop_text
  implicit none
  integer :: i
  do i = 1, 3
    print *, i
    if (i == 2) stop 'enough'
  end do
end program
