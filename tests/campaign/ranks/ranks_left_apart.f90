! -O2 3 ranks
program p
real(8) :: x(12)
call fill(x)
print *, x
end program
subroutine fill(v)
real(8) :: v(12)
!HPF$ DISTRIBUTE v(BLOCK)
integer :: i
do i = 1, 12
v(i) = i
end do
end subroutine
