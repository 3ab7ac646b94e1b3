! -O2 3 ranks
program p
real(8) :: a(12), b(12)
!HPF$ DISTRIBUTE a(BLOCK)
!HPF$ ALIGN b(i) WITH a(i)
integer :: i
do i = 1, 12
a(i) = i
end do
do i = 2, 11
b(i) = a(i - 1) + a(i + 1)
end do
end program
