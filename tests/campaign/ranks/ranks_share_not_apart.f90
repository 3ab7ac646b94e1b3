! -O2 3 ranks profiled
module m
contains
pure integer function bounded(v)
integer, intent(in) :: v
bounded = v
if (v > 4) bounded = 4
end function
end module
program p
use m
integer :: i, k, x(9)
!HPF$ DISTRIBUTE x(BLOCK)
do i = 1, 9
x(i) = bounded(i)
end do
do i = 1, 9
x(i) = bounded(x(i) + 1)
end do
k = 7
do i = 1, 3
k = bounded(k) + i
end do
print *, x, k
end program
