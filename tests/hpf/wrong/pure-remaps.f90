! Pure remaps.
! expect error T0449 8 3: PURE
pure subroutine wrong(x)
  implicit none
  real, intent(inout) :: x(10)
!HPF$ DYNAMIC x
  x(1) = 1
!HPF$ REDISTRIBUTE x(BLOCK)
end subroutine
