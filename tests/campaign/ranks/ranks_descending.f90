! -O2 3 ranks
program p
integer :: i
real(8) :: a(12), b(12)
!HPF$ DISTRIBUTE a(BLOCK)
!HPF$ ALIGN b(i) WITH a(i)
a = 0
do i = 12, 1, -1
a(i) = i
end do
print *, a
end program
