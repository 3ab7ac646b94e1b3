! ENTRY in functions with array and CHARACTER results: explicit bounds, own result names, different lengths
module shapes
  implicit none
contains
  function up(n) result(r)
    integer, intent(in) :: n
    integer :: r(n, 2), s(n, 2), i
    r(:, 1) = [(i, i = 1, n)]
    r(:, 2) = 10 * r(:, 1)
    return
  entry down(n) result(s)
    s(:, 1) = [(n - i, i = 1, n)]
    s(:, 2) = 10 * s(:, 1)
  end function

  function short(s) result(r)
    character(*), intent(in) :: s
    character(4) :: r
    character(9) :: t
    r = s
    return
  entry long(s) result(t)
    t = s // '!'
    t(8:) = '**'
  end function

  recursive function depth(n) result(d)
    integer, intent(in) :: n
    integer :: d
    d = 0
    if (n > 0) d = 1 + other(n - 1)
    return
  entry other(n) result(d)
    d = 0
    if (n > 0) d = 100 + depth(n - 1)
  end function

  elemental function half(x) result(y)
    real, intent(in) :: x
    real :: y, z
    y = x / 2
    return
  entry third(x) result(z)
    z = x / 4
  end function
end module

program entries
  use shapes
  implicit none
  integer :: m(3, 2)
  m = up(3) + down(3)
  print *, m
  print *, up(2)
  print *, '[', short('abcdefgh'), '][', long('abcdefgh'), ']', len(short('')), len(long(''))
  print *, depth(5), other(4)
  print *, half([2., 4.]), third([2., 4.])
end program
