! Unknown clause.
! expect error T0141 7 -: Unknown HPF clause
program wrong
  implicit none
  integer :: i
  real :: a(10)
!HPF$ INDEPENDENT, NEWS(i)
  do i = 1, 10
    a(i) = i
  end do
end program
