! Internal procedures with structures as results and by value that are passed on, with and without variables of their host.
module callees
  implicit none
  type pair
    integer :: a
    real(8) :: b
  end type
  type four
    real(4) :: x, y, z, w
  end type
  type large
    real(8) :: c(5)
  end type
  type(pair) :: known = pair(7, 7d0)
contains
  function of_pair(f) result(r)
    interface
      function f() result(r)
        import
        type(pair) :: r
      end function
    end interface
    type(pair) :: r
    r = f()
  end function
  function of_four(f, x) result(r)
    interface
      function f(x) result(r)
        import
        type(four), value :: x
        type(four) :: r
      end function
    end interface
    type(four), value :: x
    type(four) :: r
    r = f(x)
  end function
  function of_large(f, k, x) result(r)
    interface
      function f(k, x) result(r)
        import
        integer, value :: k
        type(large), value :: x
        type(large) :: r
      end function
    end interface
    integer, value :: k
    type(large), value :: x
    type(large) :: r
    r = f(k, x)
  end function
end module
program closure_structure_result
  use callees
  implicit none
  type(pair) :: v
  integer :: calls = 0
  procedure(own), pointer :: p
  v = of_pair(plain)
  print *, v%a, v%b
  v = of_pair(own)
  print *, v%a, v%b
  v = own()
  print *, v%a, v%b
  p => own
  v = p()
  print *, v%a, v%b, calls
  print *, of_four(turned, four(1, 2, 3, 4))
  print *, turned(four(1, 2, 3, 4))
  print *, of_large(grown, 3, large([1d0, 2d0, 3d0, 4d0, 5d0]))
  print *, grown(4, large([1d0, 2d0, 3d0, 4d0, 5d0])), calls
  print *, only_here(pair(1, 2d0))
contains
  function plain() result(r)
    type(pair) :: r
    r = known
  end function
  function own() result(r)
    type(pair) :: r
    calls = calls + 1
    r = pair(calls, 0.5d0*calls)
  end function
  function turned(x) result(r)
    type(four), value :: x
    type(four) :: r
    r = four(x%w, x%z, x%y, x%x)
  end function
  function grown(k, x) result(r)
    integer, value :: k
    type(large), value :: x
    type(large) :: r
    calls = calls + k
    r%c = x%c + calls
  end function
  function only_here(x) result(r)
    type(pair), value :: x
    type(pair) :: r
    r = pair(x%a + calls, x%b)
  end function
end program
