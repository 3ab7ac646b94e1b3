! Assumed size.
! expect error T0442 6 3: size is assumed
subroutine wrong(a)
  implicit none
  real :: a(*)
!HPF$ DISTRIBUTE a(BLOCK)
  a(1) = 1
end subroutine
