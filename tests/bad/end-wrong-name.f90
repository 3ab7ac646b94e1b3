! END with the name of something else.
program end_wrong_name
  implicit none
  integer :: i
  outer: do i = 1, 3
    print *, i
  end do inner
  do i = 1, 3
    print *, i
  end do nameless
end program end_other_name
