! told at 14:22: Pointer actual argument 'n%next' is not associated
module lists
  type node
    integer :: value
    type(node), pointer :: next => null()
  end type
contains
  recursive function length(n) result(k)
    type(node), intent(in) :: n
    integer :: k
    if (n%value < 0) then
      k = 0
    else
      k = 1 + length(n%next)
    end if
  end function
end module
program fault
  use lists
  type(node), target :: a, b
  a%value = 1
  b%value = 2
  a%next => b
  print *, length(a)
end program
