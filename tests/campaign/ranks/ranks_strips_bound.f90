! -O2 4 ranks strips 3
program p
integer :: i, j
real(8) :: a(12, 12)
!HPF$ DISTRIBUTE a(*, BLOCK)
do j = 1, 12
do i = 1, 12
a(i, j) = i * 0.5d0 + j
end do
end do
do j = 2, 12
do i = 1, 11
a(i, j) = a(i, j) * 0.5d0 + a(i, j - 1)
end do
end do
print *, a
end program
