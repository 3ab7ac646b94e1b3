! What -Wall says of calls, associations and loops.
module calls
  implicit none
  real, pointer :: kept(:)
contains
  subroutine move(a, b)
    real, intent(in) :: a
    real, intent(out) :: b
    b = a
  end subroutine
  subroutine leave()
    real, target :: here(3)
    real, target, save :: stays(3)
    here = 1
    stays = 1
    kept => here
    kept => stays
  end subroutine
  integer function nothing(n)
    integer, intent(in) :: n
    print *, n
  end function
  integer function something(n)
    integer, intent(in) :: n
    something = n
  end function
end module

program main
  use calls
  implicit none
  real :: x, y
  integer :: k
  x = 1
  y = 2
  call move(x, x)
  call move(x, y)
  call leave()
  do k = 2147483640, 2147483647
    print *, k
  end do
  select case (something(2))
  case (3:1)
    print *, nothing(1)
  end select
end program
