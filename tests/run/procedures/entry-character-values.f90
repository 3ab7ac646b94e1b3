! CHARACTER and structures with VALUE in procedures with ENTRY: each name takes its own copies.
module m
  type pair
    integer :: a
    real(8) :: b
  end type
contains
  subroutine first(c, n)
    character(4), value :: c
    character(1), value :: one
    character(5), value :: any
    type(pair), value :: p
    integer, value :: n
    print '(a,1x,i0)', c, n
    c = 'xxxx'
    return
    entry second(one, n)
    print '(a,1x,i0)', one, n
    one = '?'
    return
    entry third(n, c, any)
    print '(i0,1x,a,1x,a,1x,i0)', n, c, any, len(any)
    any = ' '
    return
    entry fourth(p, one)
    p%a = p%a + 1
    print '(i0,1x,f0.2,1x,a)', p%a, p%b, one
  end subroutine
  function count(c) result(r)
    character(3), value :: c
    character(1), value :: d
    integer :: r
    r = len_trim(c)
    return
    entry length(d, c) result(r)
    r = ichar(d) + len_trim(c)
  end function
end module
program value_entry
  use m
  character(4) :: s = 'abcd'
  character(1) :: o = 'z'
  type(pair) :: q = pair(1, 2.5d0)
  call first(s, 1)
  call second(o, 2)
  call third(3, s, s//o)
  call third(4, 'ab  ', 'pqrst')
  call fourth(q, o)
  print *, s, o, q%a
  print *, count('ab '), length('a', 'abc')
end program
