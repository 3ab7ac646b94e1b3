! Functions of array expressions and of masks whose results nothing needs.
program calls
  implicit none
  integer :: a(6), c(6, 3), i
  a = [(i, i = 1, 6)]
  do i = 1, 3
    c(:, i) = a*i
  end do
  call dead(a, c)
  print *, sum(c)
contains
  subroutine dead(a, c)
    integer, intent(in) :: a(6), c(6, 3)
    integer :: i, t
    logical :: l
    t = 0
    do i = 1, 8
      if (big(a(1:5) + i) > 2) t = t + 1
      l = any(c(:, 2) > big(a))
      if (l) t = t + big(c(2, :))
      if (big([a, i]) == i) t = 0
    end do
  end subroutine

  pure integer function big(x) result(r)
    integer, intent(in) :: x(:)
    integer :: k
    r = 0
    do k = 1, size(x)
      if (x(k) > 4) r = r + 1
    end do
  end function
end program
