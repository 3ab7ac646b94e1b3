! DO statements with a missing part, a zero step, or too many parts.
program do_bad
  implicit none
  integer :: i
  do i = 1, 10, 0
  end do
  do i = 1
  end do
  do i = 1, 2, 3, 4
  end do
  do 3 = 1, 2
  end do
end program
