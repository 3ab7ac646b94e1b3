! Independent return.
! expect error T0432 9 7: RETURN
subroutine wrong(a)
  implicit none
  integer :: i
  real :: a(10)
!HPF$ INDEPENDENT
  do i = 1, 10
    if (a(i) > 3) return
    a(i) = i
  end do
end subroutine
