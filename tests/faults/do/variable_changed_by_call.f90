! told at 4:3, where i = 11: Loop variable has been modified
program fault
  integer :: i
  do i = 1, 3
    call s(i)
  end do
contains
    subroutine s(k)
      integer :: k
      k = k + 10
    end subroutine
end program
