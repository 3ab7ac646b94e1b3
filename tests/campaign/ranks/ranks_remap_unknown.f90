! -O2 3 ranks
program p
integer :: i
real(8) :: a(12), b(12), c(12)
!HPF$ DYNAMIC a
!HPF$ DISTRIBUTE a(BLOCK)
!HPF$ DISTRIBUTE b(BLOCK)
!HPF$ DISTRIBUTE c(BLOCK)
do i = 1, 12
a(i) = i
c(i) = i
end do
!HPF$ REDISTRIBUTE a(CYCLIC)
do i = 1, 12
b(i) = c(i)
a(i) = b(i) * 2
end do
print *, a
end program
