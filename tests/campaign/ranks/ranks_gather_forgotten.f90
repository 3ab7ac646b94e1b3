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
character(900) :: text
call fill
write (text, '(12f8.1)') cshift(transfer(a, (/ 1d0 /)), 1)
print *, trim(text)
end program
