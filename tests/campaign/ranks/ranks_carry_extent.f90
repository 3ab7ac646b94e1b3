! -O2 4 ranks
program p
integer :: i, j, n, x(16, 5)
integer, allocatable :: s(:)
!HPF$ DISTRIBUTE x(BLOCK, *)
n = 5
allocate (s(n))
do j = 1, n
do i = 1, 16
x(i, j) = i * j
end do
end do
s = sum(x, dim=1)
print *, s
end program
