! -O2 4 ranks
program p
integer :: i
real(8) :: t(4, 4), x(4)
!HPF$ DISTRIBUTE t(BLOCK, BLOCK)
!HPF$ ALIGN x(i) WITH t(i, *)
do i = 1, 4
x(i) = i
end do
print *, x
end program
