! -O2 4 ranks
program p
integer :: i, x(16), s
!HPF$ DISTRIBUTE x(BLOCK)
do i = 1, 16
x(i) = i
end do
s = 1
do i = 1, 16
s = mod(3 * s + x(i), 1001)
end do
print *, s
end program
