! told at 5:3, where i = 7: Loop variable has been modified
program fault
  character(4) :: text = '7'
  integer :: i
  do i = 1, 3
    call get(i)
  end do
contains
    subroutine get(k)
      integer :: k
      read (text, *) k
    end subroutine
end program
