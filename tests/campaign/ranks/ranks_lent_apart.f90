! -O2 3 ranks
program p
real(8) :: a(12)
!HPF$ DISTRIBUTE a(BLOCK)
integer :: i
do i = 1, 12
a(i) = i
end do
call show(a)
end program
subroutine show(v)
real(8) :: v(12)
print *, v
end subroutine
