! An automatic array and a result whose bounds ask an allocatable variable of a module.
module m2
  real, save, allocatable :: p(:)
contains
  function g() result(r)
    real :: r(size(p),2)
    r = 1.5
  end function
end module
module m
  use m2
contains
  subroutine s
    real :: z(3,2)
    z = g()
    print *, z
    print *, sum(g())
  end subroutine
end module
use m
allocate(p(3))
call s
end
