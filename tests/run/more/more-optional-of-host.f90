! PRESENT in an internal procedure asks for an optional argument of its host.
module m
contains
subroutine s(x, l)
 integer, optional :: l
 real :: x
 call inner
contains
 subroutine inner
   if (present(l)) then
     print *, 'there', l
   else
     print *, 'absent'
   end if
 end subroutine
end subroutine
end module
use m
call s(1.0)
call s(1.0, 5)
end
