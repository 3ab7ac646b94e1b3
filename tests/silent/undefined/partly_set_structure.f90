program right
  type pair
    integer :: a, b
  end type
  type(pair) :: p, q
  p%a = 1
  q = p
  print *, q%a
  call use_a(p)
contains
  subroutine use_a(x)
    type(pair), intent(in) :: x
    print *, x%a
  end subroutine
end program
