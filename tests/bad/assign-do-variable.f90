! Stores into the variable of an active loop.
program assign_do_variable
  implicit none
  integer :: i, j
  do i = 1, 10
    i = i + 1
    do j = 1, 3
      read (*, *) i
      do i = 1, 2
      end do
    end do
    j = 1
    call change(i)
  end do
  i = 5
contains
  subroutine change(k)
    integer, intent(out) :: k
    k = 1
  end subroutine change
end program
