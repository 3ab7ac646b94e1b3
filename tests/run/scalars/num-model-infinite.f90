! The model functions of infinities and NaNs.
program p
 implicit none
 real(4) :: x4(3); real(8) :: x8(3)
 integer :: i
 x4(1)=transfer(int(z'7f800000'),1.0); x4(2)=-x4(1); x4(3)=transfer(int(z'7fc00000'),1.0)
 x8 = x4
 do i=1,3
  print *, exponent(x4(i)), fraction(x4(i)), spacing(x4(i)), rrspacing(x4(i)), set_exponent(x4(i),3), scale(x4(i),2)
  print *, exponent(x8(i)), fraction(x8(i)), spacing(x8(i)), rrspacing(x8(i)), set_exponent(x8(i),3), scale(x8(i),2)
 end do
end program
