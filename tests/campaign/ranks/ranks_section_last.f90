! -O2 3 ranks
program p
integer :: i
real(8) :: a(12)
!HPF$ DISTRIBUTE a(BLOCK)
do i = 1, 12
a(i) = i * 0.5d0
end do
print *, a(3:7)
end program
