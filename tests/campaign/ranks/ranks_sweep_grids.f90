! -O2 4 ranks
program p
integer :: i
real(8) :: c(12, 12), x(12), w(12)
!HPF$ DISTRIBUTE c(BLOCK, BLOCK)
!HPF$ ALIGN x(i) WITH c(i, *)
!HPF$ DISTRIBUTE w(BLOCK)
do i = 1, 12
x(i) = i
w(i) = 13 - i
end do
do i = 11, 2, -1
x(i - 1) = x(i) / 2 + 1
w(i) = w(i + 1) / 4 + w(i)
end do
print *, x
print *, w
end program
