! -O2 3 ranks
program p
real(8) :: a(12)
!HPF$ DISTRIBUTE a(BLOCK)
integer :: i
do i = 1, 12
a(i) = i
end do
call other(a)
print *, a
end program
subroutine other(x)
real(8) :: x(12)
!HPF$ DISTRIBUTE x(CYCLIC)
integer :: i
do i = 1, 12
x(i) = x(i) + 1
end do
end subroutine
