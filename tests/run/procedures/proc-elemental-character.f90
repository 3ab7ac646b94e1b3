! ELEMENTAL functions with CHARACTER results over arrays.
module m
  implicit none
contains
  elemental function upper(s) result(r)
    character(len=*), intent(in) :: s
    character(len=len(s)) :: r
    integer :: i, c
    r = s
    do i = 1, len(s)
      c = iachar(s(i:i))
      if (c >= 97 .and. c <= 122) r(i:i) = achar(c - 32)
    end do
  end function
  elemental function digit(i) result(r)
    integer, intent(in) :: i
    character(len=2) :: r
    write (r, '(i2.2)') i
  end function
  impure elemental subroutine show(s, n)
    character(len=*), intent(in) :: s
    integer, intent(in), optional :: n
    if (present(n)) then
      print *, '[', s, ']', n
    else
      print *, '[', s, ']'
    end if
  end subroutine
  elemental real function scaled(x, f)
    real, intent(in) :: x
    real, intent(in), optional :: f
    scaled = x
    if (present(f)) scaled = x*f
  end function
end module
program p
  use m
  implicit none
  character(len=4) :: names(3), other(2, 2)
  names = ['ab  ', 'cde ', 'fghi']
  print *, upper(names)
  print *, digit([1, 22, 3])
  other = reshape([character(len=4) :: 'a', 'b', 'c', 'd'], [2, 2])
  other = upper(other)
  print *, other
  call show(names)
  call show(names(1:2), [10, 20])
  print *, scaled([1., 2., 3.]), scaled([1., 2.], 3.), scaled([1., 2.], [2., 3.])
  print *, upper('one'), len(upper(names(1:2)))
end program
