! told at 5:12: DO variable
program fault
  integer :: i
  do i = 1, 3
    call s(i)
  end do
contains
    subroutine s(k)
      integer, intent(out) :: k
      k = 2
    end subroutine
end program
