! Components that are passed are there; absent arguments are passed on.
module m
  type node
    integer :: v
    type(node), pointer :: next => null()
  end type
contains
  recursive integer function total(n) result(t)
    type(node), intent(in) :: n
    t = n%v
    if (associated(n%next)) t = t + total(n%next)
  end function
  subroutine show(n)
    type(node), pointer :: n
    if (associated(n)) then
      print *, n%v
    else
      print *, 'end'
    end if
  end subroutine
end module
program right
  use m
  type(node), target :: a, b
  a%v = 1
  b%v = 2
  a%next => b
  print *, total(a)
  call show(a%next)
  call show(b%next)
  print *, associated(a%next, b), associated(b%next)
end program
