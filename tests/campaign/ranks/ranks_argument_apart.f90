! -O2 3 ranks
program p
integer :: i
real(8) :: a(12), b(12)
!HPF$ DISTRIBUTE a(BLOCK)
!HPF$ ALIGN b(i) WITH a(i)
do i = 1, 12
a(i) = i
end do
call show(a)
end program
subroutine show(v)
real(8) :: v(12)
print *, v
end subroutine
