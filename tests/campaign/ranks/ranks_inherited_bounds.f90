! -O2 3 ranks
program p
real(8) :: a(0:11)
!HPF$ DISTRIBUTE a(BLOCK)
integer :: i
interface
subroutine other(x)
real(8) :: x(:)
!HPF$ INHERIT x
end subroutine
end interface
do i = 0, 11
a(i) = i
end do
call other(a)
print *, a
end program
subroutine other(x)
real(8) :: x(:)
!HPF$ INHERIT x
integer :: i
do i = 1, 12
x(i) = x(i) + 1
end do
end subroutine
