! -O2 3 ranks
program p
real(8) :: t
integer :: i
real(8) :: a(12), b(12)
!HPF$ DISTRIBUTE a(BLOCK)
!HPF$ ALIGN b(i) WITH a(i)
do i = 1, 12
a(i) = i
end do
t = 0
do i = 1, 12
t = max(t, abs(a(i)))
end do
print *, t
end program
