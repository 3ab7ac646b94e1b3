! told at 14:35, where i = 0: Index '0' of dimension 1 of array 'n%next%data' below lower bound of 1
module nodes
  type node
    integer, pointer :: data(:)
    type(node), pointer :: next
  end type
contains
  integer function total(n, m)
    type(node), intent(in) :: n
    integer, intent(in) :: m
    integer :: i
    total = 0
    do i = 0, m
      total = total + n%next%data(i)
    end do
  end function
end module
program fault
  use nodes
  type(node) :: x
  allocate (x%data(2), x%next)
  allocate (x%next%data(3))
  x%next%data = 1
  print *, total(x, 3)
end program
