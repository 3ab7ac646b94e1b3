! -O2 3 ranks
program p
integer :: i
real(8) :: a(12), b(12)
!HPF$ DISTRIBUTE a(BLOCK)
!HPF$ ALIGN b(i) WITH a(i)
do i = 1, 12
a(i) = i
end do
open (17, status='scratch', form='unformatted')
write (17) a
rewind (17)
read (17) b
do i = 1, 12
a(i) = b(i) * 2
end do
print *, a
end program
