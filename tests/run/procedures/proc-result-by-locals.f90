! The length and shape of a function result in terms of arrays that are local to the function.
module test
   implicit none
   contains
      function my_string(x)
         integer i
         real, intent(in) :: x(:)
         character(0) h4(1:minval([(i,i=30,32), 15]))
         character(0) sv1(size(x,1):size(h4))
         character(0) sv2(2*lbound(sv1,1):size(h4))
         character(lbound(sv2,1)-3) my_string
         do i = 1, len(my_string)
            my_string(i:i) = achar(modulo(i-1,10)+iachar('0'))
         end do
      end function my_string
      function f2(x) result(r)
         real, intent(in) :: x(:)
         integer :: tmp(size(x)+1)
         real :: r(size(tmp))
         r = 1
      end function
end module test
   use test
   real x(7); integer i; character(20) c
   x = 0
   i = size(f2(x)); print *, i
   i = len(my_string(x)); c = my_string(x); print *, i, c
end
