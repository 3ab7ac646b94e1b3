! -O2 3 ranks
program p
integer :: i, k
real(8) :: a(12) = 0, b(12) = 0
!HPF$ DISTRIBUTE a(BLOCK)
!HPF$ ALIGN b(i) WITH a(i)
do k = 1, 3
do i = 1, 12
b(i) = b(i) + a(13 - i)
end do
if (k == 1) then
do i = 1, 12
a(i) = i * k
end do
end if
end do
print *, b
end program
