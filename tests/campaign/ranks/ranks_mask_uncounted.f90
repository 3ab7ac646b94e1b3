! -O2 3 ranks profiled
module m
contains
elemental integer function twice(v)
integer, intent(in) :: v
twice = v * 2
end function
end module
program p
use m
integer :: i, x(9), y(9)
!HPF$ DISTRIBUTE x(BLOCK)
!HPF$ ALIGN y(i) WITH x(i)
do i = 1, 9
x(i) = i
y(i) = 0
end do
where (x > 4) y = twice(x)
print *, y
end program
