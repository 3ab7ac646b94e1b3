program right
  type pair
    integer :: a
    real :: b(2)
    character(len=3) :: c
  end type
  type defaults
    integer :: n = 4
    integer :: m
  end type
  type(pair) :: p, q, r
  type(defaults) :: d
  p%a = 1
  p%b(1) = 2
  p%b(2) = 3
  p%c(1:1) = 'x'
  p%c(2:) = 'yz'
  print *, p%a, p%b, p%c
  q = pair(4, [5., 6.], 'abc')
  print *, q%a, q%b(2), q%c
  r = q
  print *, r%a
  call set(p)
  print *, p%a
  print *, d%n
contains
  subroutine set(x)
    type(pair), intent(inout) :: x
    x%a = x%a + 1
  end subroutine
end program
