! -O2 3 ranks
program p
integer :: i
real(8) :: a(12), b(12)
!HPF$ DISTRIBUTE a(BLOCK)
!HPF$ ALIGN b(i) WITH a(i)
do i = 1, 12
a(i) = 2 * i
end do
do i = 1, 12
b(i) = a(13 - i)
end do
print *, b
end program
