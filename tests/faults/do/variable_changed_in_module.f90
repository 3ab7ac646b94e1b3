! told at 11:3, where i = 3: Loop variable has been modified
module m
  integer :: i
contains
    subroutine s
      i = i + 2
    end subroutine
end module
program fault
  use m
  do i = 1, 9
    call s
  end do
end program
