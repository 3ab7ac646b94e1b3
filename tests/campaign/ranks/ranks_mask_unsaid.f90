! -O2 3 ranks
program p
integer :: i
real(8) :: a(12), b(12)
!HPF$ DISTRIBUTE a(BLOCK)
!HPF$ ALIGN b(i) WITH a(i)
do i = 1, 12
a(i) = i
b(i) = 0
end do
where (a(12:1:-1) > 6) b = 1
print *, b
end program
