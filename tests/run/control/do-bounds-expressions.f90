! Bounds that are function calls are evaluated exactly once each, in order.
module counting
  implicit none
  integer :: calls = 0
contains
  integer function bound(value)
    integer, intent(in) :: value
    calls = calls + 1
    print *, 'bound', value
    bound = value
  end function bound
end module counting
program do_bounds_expressions
  use counting
  implicit none
  integer :: i, j
  do i = bound(1), bound(5)
    j = i
  end do
  print *, calls, i, j
  do i = bound(9), bound(3), bound(-2)
    j = j + i
  end do
  print *, calls, i, j
end program
