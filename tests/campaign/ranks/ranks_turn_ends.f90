! -O2 3 ranks
program p
integer :: i, k, w
real(8) :: a(12), r
!HPF$ DISTRIBUTE a(BLOCK)
r = 0
w = 12
do k = 1, 4
do i = 1, 12
a(i) = i + k
end do
r = r + a(w)
w = mod(w + 6, 12) + 1
end do
print *, r
end program
