module m
  integer, target :: t = 5, u = 6
contains
  function f(k) result(p)
    integer, pointer :: p
    integer :: k, q, n
    integer, pointer :: v(:)
    integer, allocatable :: w
    real, pointer :: x
    p => t
    p = k
    return
  entry g(k) result(q)
    q = -k
    return
  entry h(k) result(v)
    return
  entry i(k) result(w)
    return
  entry j(k) result(x)
  end function
  function a(n) result(r)
    integer :: n, r(n), s(n + 1)
    r = n
    return
  entry b(n) result(s)
    s = n
  end function
end module
