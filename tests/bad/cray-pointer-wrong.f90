! options: -fcray-pointer
! Cray pointers of a wrong type, and a pointee of two pointers.
program cray_pointer_wrong
  implicit none
  real :: x(3), y, z
  integer(8) :: q
  pointer (x, y)
  pointer (q, z)
  pointer (q, z)
end program
