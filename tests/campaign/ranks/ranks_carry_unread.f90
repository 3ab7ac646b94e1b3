! -O2 4 ranks
program p
integer :: i, j, a(16, 3), k(3)
!HPF$ DISTRIBUTE a(BLOCK, *)
do j = 1, 3
do i = 1, 16
a(i, j) = mod(i * j, 17)
end do
end do
k = 2 * maxloc(a, dim=1)
print *, k
end program
