! Results that have addresses: pointers reach them, and they are copied to the caller at the end.
module m
  integer, pointer :: keep
  complex, pointer :: ck
contains
  function f(n) result(r)
    integer, target :: r
    integer :: n
    r = n
    keep => r
    keep = keep + 1
  end function
  complex function g(z)
    target :: g
    complex, value :: z
    g = z
    ck => g
    ck = ck * 2
    z%re = 5
    call im(z%im)
    g = g + z
  end function
  subroutine im(x)
    real x
    x = x + 100
  end subroutine
  integer function h(n)
    volatile h
    integer :: n
    h = n
    h = h + 1
  end function
  logical function lo(n)
    target lo
    logical, pointer :: p
    p => lo
    p = n > 3
  end function
end module
use m
print *, f(3), g((1.0, 2.0)), h(4), lo(3), lo(4)
end
