! told at 4:18: Allocatable actual argument 'v' is not allocated
program fault
  integer, allocatable :: v(:)
  print *, total(v)
contains
  integer function total(x)
    integer, intent(in) :: x(:)
    total = sum(x)
  end function
end program
