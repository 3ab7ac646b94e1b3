! told at 4:3, where i = 11: Loop variable has been modified
program fault
  integer :: i
  do i = 1, 3
    call s
  end do
contains
    subroutine s
      i = i + 10
    end subroutine
end program
