! -O2 3 ranks
! file main.f90
program p
real(8) :: a(12)
common /c/ a
!HPF$ DISTRIBUTE a(BLOCK)
integer :: i
do i = 1, 12
a(i) = i
end do
call other
end program
! file other.f90
subroutine other
real(8) :: a(12)
common /c/ a
print *, a
end subroutine
