! Allocatable module arrays, allocated in one procedure and used in others.
module grid
  implicit none
  double precision, allocatable :: field(:, :)
  integer :: rows = 0
contains
  subroutine make(m, n)
    integer, intent(in) :: m, n
    integer :: i, j
    if (allocated(field)) deallocate (field)
    allocate (field(m, 0:n))
    rows = m
    do j = 0, n
      do i = 1, m
        field(i, j) = i + 0.1d0 * j
      end do
    end do
  end subroutine make
  double precision function total()
    integer :: i, j
    total = 0.0d0
    do j = lbound(field, 2), ubound(field, 2)
      do i = 1, rows
        total = total + field(i, j)
      end do
    end do
  end function total
end module grid
program module_allocatable
  use grid
  implicit none
  print *, allocated(field)
  call make(2, 3)
  print *, allocated(field), shape(field), total()
  call make(5, 1)
  print *, shape(field), lbound(field), ubound(field), total()
  deallocate (field)
  print *, allocated(field)
end program
