! Forall many to one.
! expect error T0430 9 8: the same element
program wrong
  implicit none
  integer :: i
  real :: a(10), b(10)
  b = 1
!HPF$ INDEPENDENT
  forall (i = 1:10) a(1) = b(i)
end program
