! -O2 3 ranks
module m
real(8) :: a(12)
!HPF$ DISTRIBUTE a(BLOCK)
contains
subroutine fill
integer :: i
do i = 1, 12
a(i) = i
end do
end subroutine
end module
program p
use m
call fill
print *, a
end program
