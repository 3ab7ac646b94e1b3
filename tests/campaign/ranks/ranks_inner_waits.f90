! -O2 3 ranks
program p
integer :: i, j
real(8) :: a(4, 24), b(4, 24)
!HPF$ DISTRIBUTE a(*, BLOCK)
!HPF$ ALIGN b(i, j) WITH a(i, j)
do j = 1, 24
do i = 1, 4
a(i, j) = i * 0.5d0 + j
b(i, j) = i + j * 0.25d0
end do
end do
do j = 2, 23
do i = 1, 4
b(i, j) = a(i, j + 1) * 0.5d0 + a(i, j - 1)
end do
end do
print *, b
end program
