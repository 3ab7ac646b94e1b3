! Procedures with BIND(C) that call themselves.
module m
 use iso_c_binding
contains
 recursive subroutine deep(n) bind(c, name="deepC")
  integer(c_int), value :: n
  if (n>0) then
   print *, n
   call deep(n-1)
  end if
 end subroutine
 recursive function fac(n) result(r) bind(c, name="facC")
  integer(c_int), value :: n
  integer(c_int) :: r
  r=1
  if (n>1) r = n*fac(n-1)
 end function
end module
recursive subroutine ext(n) bind(c, name="extC")
  use iso_c_binding
  integer(c_int), value :: n
  if (n>0) then
   print *, n
   call ext(n-1)
  end if
end subroutine
recursive subroutine plain(n) bind(c)
  use iso_c_binding
  integer(c_int), value :: n
  if (n>0) call plain(n-1)
  print *, n
end subroutine
program p
 use m
 interface
  subroutine e(n) bind(c,name="extC")
   use iso_c_binding
   integer(c_int), value :: n
  end subroutine
  subroutine plain(n) bind(c)
   use iso_c_binding
   integer(c_int), value :: n
  end subroutine
 end interface
 call deep(2); print *, fac(5); call e(2); call plain(1)
end program
