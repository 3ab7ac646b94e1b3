! -O2 4 ranks
program p
integer :: i, j, a(16, 3), s(2)
!HPF$ DISTRIBUTE a(BLOCK, *)
do j = 1, 3
do i = 1, 16
a(i, j) = i * j
end do
end do
s = 1
do j = 1, 3
do i = 1, 16
s(2) = mod(3 * s(2) + a(i, j), 1001)
end do
end do
print *, s
end program
