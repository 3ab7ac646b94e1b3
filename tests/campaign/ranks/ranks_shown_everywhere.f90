! -O2 3 ranks
program p
integer :: i, x(9), y(9)
!HPF$ DISTRIBUTE x(BLOCK)
!HPF$ ALIGN y(i) WITH x(i)
do i = 1, 9
x(i) = i
y(i) = 0
end do
print *, x(8)
do i = 1, 6
y(i) = x(i + 3)
end do
print *, y
end program
