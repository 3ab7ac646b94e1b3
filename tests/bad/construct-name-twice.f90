! Construct names used for two constructs at once, or for a variable.
program construct_name_twice
  implicit none
  integer :: i, j
  again: do i = 1, 3
    again: do j = 1, 3
    end do again
  end do again
  j: do i = 1, 2
  end do j
end program
