! -O2 3 ranks profiled
program p
integer :: i, x(9), y(9)
integer :: t, r
!HPF$ DISTRIBUTE x(BLOCK)
!HPF$ ALIGN y(i) WITH x(i)
do i = 1, 9
x(i) = i
y(i) = 0
end do
do i = 1, 8
t = 1
if (x(i) > 4) t = 2
r = t * 3
y(i + 1) = r
end do
print *, y
end program
