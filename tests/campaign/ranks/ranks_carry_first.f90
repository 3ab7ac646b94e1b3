! -O2 4 ranks
program p
integer :: i, x(16), s, t
!HPF$ DISTRIBUTE x(BLOCK)
do i = 1, 16
x(i) = i
end do
s = 1
t = 2
do i = 1, 16
s = mod(3 * s + x(i), 1001)
t = mod(5 * t + x(i), 1003)
end do
print *, s, t
end program
