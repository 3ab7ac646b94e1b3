! Constructs that end in the wrong order.
program end_crossed
  implicit none
  integer :: i
  do i = 1, 3
    if (i == 2) then
      print *, i
  end do
    end if
end program
