! DATA of pointers: NULL(), variables, of components and procedure pointers too
module pointers
  implicit none
  type :: item
    integer, pointer :: p
    real :: x
    integer, pointer :: v(:)
  end type
  integer, target, save :: i = 7, t(3) = [1, 2, 3]
  type(item), save :: a, b
  data a%p /i/, a%x /2.5/, a%v /null()/
  data b%p, b%v, b%x /null(), t, 3.5/
contains
  integer function double(n)
    integer, intent(in) :: n
    double = 2 * n
  end function
end module

program data_pointer
  use pointers
  implicit none
  integer, target, save :: u = 30
  integer, pointer :: q, r, n1, n2
  integer, pointer :: w(:)
  character(4), target, save :: text = 'abcd'
  character(4), pointer :: c
  data q /u/, r /null()/, w /t/
  data n1, n2 /2*null()/
  data c /text/
  print *, q, associated(q, u), associated(r), w, lbound(w), associated(n1), associated(n2), c
  print *, a%p, a%x, associated(a%v), associated(b%p), b%v, b%x
  q = 31
  w(2) = 20
  print *, u, b%v
  call count
  call count
contains
  subroutine count
    integer, pointer :: k
    integer, target, save :: n = 0
    data k /n/
    k = k + 1
    print *, n
  end subroutine
end program
