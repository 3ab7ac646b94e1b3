! -O0 3 ranks
program p
real(8) :: a(12), b(12)
!HPF$ DISTRIBUTE a(BLOCK)
!HPF$ ALIGN b(i) WITH a(i)
integer :: i
do i = 1, 12
a(i) = i
end do
call other(a)
do i = 1, 12
a(i) = a(i) + 1
b(i) = a(i) * 2
end do
print *, b
end program
subroutine other(x)
real(8) :: x(12)
!HPF$ DISTRIBUTE x(CYCLIC)
integer :: i
do i = 1, 12
x(i) = x(i) + 1
end do
end subroutine
