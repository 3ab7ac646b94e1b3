! told at 15:34, where i = 4, j = 1: Index '5' of dimension 1 of array 'grid' above upper bound of 4
module m
  real, pointer :: grid(:, :)
contains
  subroutine make(n)
    integer, intent(in) :: n
    allocate (grid(0:n, 0:n))
    grid = 0
  end subroutine
  subroutine smooth(n)
    integer, intent(in) :: n
    integer :: i, j
    do j = 1, n
      do i = 1, n
        grid(i, j) = 0.5 * (grid(i + 1, j) + grid(i - 1, j))
      end do
    end do
  end subroutine
end module
program fault
  use m
  call make(4)
  call smooth(4)
  print *, grid(1, 1)
end program
