! -O2 4 ranks profiled
program p
integer :: i, t(4, 4), x(4)
!HPF$ PROCESSORS g(2, 2)
!HPF$ DISTRIBUTE t(BLOCK, BLOCK) ONTO g
!HPF$ ALIGN x(i) WITH t(i, *)
do i = 1, 4
x(i) = i
end do
do i = 1, 4
if (x(i) > 1) x(i) = 0
end do
print *, x
end program
