module m
  integer, target :: t = 5, u = 6
contains
  function f(k) result(p)
    integer, pointer :: p, q
    integer :: k
    p => t
    p = k
    return
    entry g(k) result(q)
    q => u
    q = -k
  end function
end module
