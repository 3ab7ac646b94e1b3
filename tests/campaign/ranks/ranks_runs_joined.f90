! -O2 3 ranks
program p
integer :: i, q(12) = 1
real(8) :: b(12)
!HPF$ DISTRIBUTE q(BLOCK)
!HPF$ DISTRIBUTE b(BLOCK)
do i = 1, 12
q(i) = 13 - i
end do
do i = 1, 12
b(q(i)) = i
end do
print *, b
end program
