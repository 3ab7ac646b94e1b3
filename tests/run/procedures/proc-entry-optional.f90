! Optional arguments of procedures with ENTRY, of the name that is called and of others.
module callees
  implicit none
contains
  subroutine first(a, b, c)
    integer, intent(inout), optional :: a
    integer, intent(in), optional :: b
    real, intent(in) :: c(0:)
    if (present(a)) a = a + 1
    print *, present(a), ubound(c), c
    if (present(b)) print *, b
    return
  entry second(c, a)
    print *, present(a), ubound(c), c(0)
    if (present(a)) a = a*2
    return
  entry third(c)
    print *, size(c), c
    return
  entry fourth(b, c)
    print *, present(b), size(c), c
  end subroutine
end module
program main
  use callees
  implicit none
  integer :: k = 3
  real :: x(6) = [1., 2., 3., 4., 5., 6.]
  call first(k, 5, x(:2))
  call first(c=x(6:1:-2))
  call second(x(3:), k)
  call second(x)
  call third(x(::4))
  call fourth(c=x(5:6))
  print *, k
end program
