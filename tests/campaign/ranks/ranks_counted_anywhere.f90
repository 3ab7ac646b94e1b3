! -O2 4 ranks
program p
integer :: i, a(16), b(16)
!HPF$ DISTRIBUTE a(BLOCK)
!HPF$ ALIGN b(i) WITH a(i)
do i = 1, 16
a(i) = i
b(i) = 0
end do
do i = 1, 15
if (a(i) > 3) b(i + 1) = a(i)
end do
print *, b
end program
