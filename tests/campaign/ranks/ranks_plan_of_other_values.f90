! -O2 3 ranks
program p
call fill(1, 4)
call fill(5, 12)
end program
subroutine fill(lo, hi)
integer :: lo, hi, i
character(900) :: text
real(8), save :: a(12) = 0
!HPF$ DISTRIBUTE a(BLOCK)
do i = lo, hi
a(i) = i
end do
write (text, *) a
print *, trim(text)
end subroutine
