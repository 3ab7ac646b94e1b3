! Bounds and lengths of declarations that are arguments of some of the names only: the others do without them.
subroutine fill(x, n)
  integer :: n, m(2), x(n), y(m(1):m(2)), z(size(w)), i
  real :: w(3), v
  character(*) :: c
  character(len=len(c)) :: copy
  x = [(i, i = 1, n)]
  return
  entry show(x)
  print *, 'show'
  return
  entry bounds(y, m)
  print *, lbound(y), ubound(y), y
  return
  entry sizes(w)
  print *, size(z), w
  return
  entry text(c)
  copy = c
  print *, copy // '|', len(copy)
  return
  entry one(v)
  print *, v
end subroutine
function total(x, f)
  interface
    pure integer function f(k)
      integer, intent(in) :: k
    end function
  end interface
  integer :: x(f(2)), total, other
  total = sum(x)
  return
  entry other(x)
  other = 7
end function
pure integer function twice(k)
  integer, intent(in) :: k
  twice = 2 * k
end function
program p
  integer :: a(3), total, other
  interface
    pure integer function twice(k)
      integer, intent(in) :: k
    end function
  end interface
  call fill(a, 3)
  print *, a
  call show(a)
  call bounds(a, [-1, 1])
  call sizes([1.0, 2.0, 3.0])
  call text('abcd')
  call one(2.5)
  print *, total([1, 2, 3, 4], twice), other(a)
end program
