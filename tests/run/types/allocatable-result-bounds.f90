! The bounds of function results: as values they begin with 1.
module m
contains
 function f() result(r)
  integer, allocatable :: r(:)
  allocate(r(-2:2)); r=[1,2,3,4,5]
 end function
 function g() result(r)
  integer, pointer :: r(:)
  allocate(r(5:7)); r=[1,2,3]
 end function
 function h(n) result(r)
  integer :: n
  integer :: r(0:n)
  r=7
 end function
end module
program p
 use m
 integer, allocatable :: a(:), b(:), c(:), d(:)
 a=f(); print *, lbound(a), ubound(a)
 allocate(b, source=f()); print *, lbound(b), ubound(b)
 print *, lbound(f()), ubound(f())
 c=g(); print *, lbound(c), ubound(c)
 d=h(3); print *, lbound(d), ubound(d), lbound(h(2)), ubound(h(2)), lbound(g()), ubound(g())
 deallocate(b); allocate(b, source=h(2)); print *, lbound(b)
 deallocate(b); allocate(b, source=g()); print *, lbound(b)
end program
