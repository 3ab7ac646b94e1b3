! -O2 3 ranks
program p
integer :: i, j
real(8) :: a(6, 6), b(6, 6)
!HPF$ DISTRIBUTE a(*, BLOCK)
!HPF$ ALIGN b(i, j) WITH a(i, j)
do j = 1, 6
do i = 1, 6
a(i, j) = i + 10 * j
end do
end do
if (a(1, 1) < 0) stop 1
do j = 2, 6
do i = 1, 6
b(i, j) = a(i, j - 1)
end do
end do
print *, b(:, 2:)
end program
