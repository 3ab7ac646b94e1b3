! Colons differ.
! expect error T0414 7 5: dimensions
program wrong
  implicit none
  real :: a(10, 10)
!HPF$ TEMPLATE t(10, 10)
!HPF$ ALIGN a(:, *) WITH t(:, :)
  a = 1
end program
