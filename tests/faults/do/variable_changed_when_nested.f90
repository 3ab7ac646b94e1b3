! told at 5:5, where i = 2, j = 1: Loop variable has been modified
program fault
  integer :: i, j
  do j = 1, 2
    do i = 1, 3
      call s(i)
    end do
  end do
contains
    subroutine s(k)
      integer :: k
      k = k + 1
    end subroutine
end program
