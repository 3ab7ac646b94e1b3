! -O2 4 ranks profiled
program p
integer :: i, x(16)
!HPF$ DISTRIBUTE x(BLOCK)
do i = 1, 16
x(i) = i
end do
do i = 1, 16
if (x(i) > 5) x(i) = 0
end do
print *, x
end program
