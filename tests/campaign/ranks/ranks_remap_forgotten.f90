! -O2 3 ranks
program p
integer :: i
real(8) :: a(12)
!HPF$ DYNAMIC a
!HPF$ DISTRIBUTE a(BLOCK)
do i = 1, 12
a(i) = i
end do
!HPF$ REDISTRIBUTE a(CYCLIC)
print *, a
end program
