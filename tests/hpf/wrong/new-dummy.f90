! New dummy.
! expect error T0452 7 3: a dummy argument
subroutine wrong(a, t)
  implicit none
  integer :: i
  real :: a(10), t
!HPF$ INDEPENDENT, NEW(t)
  do i = 1, 10
    t = i
    a(i) = t
  end do
end subroutine
