! told at 13:14, where i = 3: Allocatable variable 'r%v' is not allocated
program fault
  type row
    real, allocatable :: v(:)
  end type
  type(row) :: r(3)
  integer :: i
  do i = 1, 2
    allocate (r(i)%v(4))
    r(i)%v = i
  end do
  do i = 1, 3
    print *, r(i)%v(1)
  end do
end program
