! told at 11:9, where i = 4: Index '4' of dimension 1 of array 'x' above upper bound of 3
program fault
  real :: a(3, 5)
  a = 1
  call s(a)
contains
  subroutine s(x)
    real, intent(inout) :: x(:, :)
    integer :: i
    do i = 1, size(x, 2)
      x(i, 1) = 2
    end do
  end subroutine
end program
