! -O2 3 ranks
program p
integer :: i
real(8) :: a(12), b(12)
!HPF$ DISTRIBUTE a(BLOCK)
!HPF$ ALIGN b(i) WITH a(i)
a(1) = 1
do i = 2, 12
a(i) = a(i - 1) + 1
end do
print *, a
end program
