! Elemental procedures over sections with vector subscripts, whatever these are written as.
program p
  implicit none
  real(8) :: z(5), w(5), q(3, 2)
  integer :: i, v(5)
  character(3) :: c(3) = ['one', 'two', 'six']
  z = [(i, i = 1, 5)]
  v = [5, 1, 3, 2, 4]
  w = f(z([5, 1, 3, 2, 4]))
  print *, w
  w = f(z(v)) + f(z([(6 - i, i = 1, 5)]))
  print *, w
  w(:3) = f(z(pack(v, v > 2)))
  print *, w
  call s(z([1, 2]), w(4:5))
  print *, w
  call s(z(cshift(v, 2)), w(5:1:-1))
  print *, w
  q = reshape([(real(i, 8), i = 1, 6)], [3, 2])
  q(:, 1) = f(q([3, 1, 2], 2) - 1)
  print *, f(q([2, 3], [2, 1]))
  print *, q
  print *, last(c([3, 1, 2])), last(c(v(3:4)))
contains
  elemental real(8) function f(x)
    real(8), intent(in) :: x
    f = x + 1
  end function
  elemental subroutine s(x, y)
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    y = -x
  end subroutine
  elemental character function last(x)
    character(*), intent(in) :: x
    last = x(len(x):)
  end function
end program
