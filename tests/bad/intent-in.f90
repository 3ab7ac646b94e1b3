! What INTENT(IN) promises the caller.
subroutine s(a, n, t)
  implicit none
  type point
    integer :: x
    integer, pointer :: p
  end type
  integer, intent(in) :: n
  real, intent(in) :: a(n)
  type(point), intent(in) :: t
  a(1) = 2
  do n = 1, 3
  end do
  read *, n
  t%x = 1
  t%p = 1
  call change(n)
contains
  subroutine change(k)
    integer, intent(inout) :: k
    k = k + 1
  end subroutine
end subroutine
