! told at 14:7: 'x' is defined, and 'by', which is the same storage, is used at whole_array_operation.f90:14:27
! flags: -fcheck=alias
program fault
  real :: a(2, 4)
  a = 1
  call scale(a, a(:, 2))
  print *, a
contains
  subroutine scale(x, by)
    real, intent(inout) :: x(:, :)
    real, intent(in) :: by(:)
    integer :: k
    do k = 1, 4
      x(:, k) = x(:, k) * by
    end do
  end subroutine
end program
