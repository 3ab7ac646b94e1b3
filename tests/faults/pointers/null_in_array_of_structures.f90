! told at 12:5, where i = 2: Pointer 'c%v' is not associated
program fault
  type cell
    real, pointer :: v(:) => null()
  end type
  type(cell), allocatable :: c(:)
  integer :: i
  allocate (c(2))
  allocate (c(1)%v(2))
  c(1)%v = 1
  do i = 1, 2
    c(i)%v(2) = 2
  end do
end program
