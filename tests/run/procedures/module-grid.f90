! allocatable work arrays with modules (F95 style)
module grid
  implicit none
  real, allocatable :: u(:,:), unew(:,:)
  integer :: nx, ny
contains
  subroutine setup(n, m)
    integer, intent(in) :: n, m
    nx = n; ny = m
    allocate (u(0:nx+1, 0:ny+1), unew(0:nx+1, 0:ny+1))
    u = 0
    u(:, ny+1) = 100
    unew = u
  end subroutine
  function step() result(diff)
    real :: diff
    integer :: i, j
    do j = 1, ny
      do i = 1, nx
        unew(i, j) = 0.25*(u(i-1, j) + u(i+1, j) + u(i, j-1) + u(i, j+1))
      end do
    end do
    diff = maxval(abs(unew - u))
    u = unew
  end function
  subroutine finish()
    deallocate (u, unew)
  end subroutine
end module
program p
  use grid
  implicit none
  integer :: k
  real :: d
  call setup(4, 4)
  do k = 1, 200
    d = step()
    if (d < 1e-4) exit
  end do
  print '(i4, 4f9.4)', k, u(1:4, 2)
  print *, lbound(u), ubound(u), shape(u), allocated(u)
  call finish
  print *, allocated(u)
end program
