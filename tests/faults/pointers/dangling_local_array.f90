! told at 7:14, where k = 1: Dangling pointer 'q'
program fault
  real, pointer :: q(:)
  integer :: k
  q => first(3)
  do k = 1, 2
    print *, q(k)
  end do
contains
  function first(n) result(r)
    integer, intent(in) :: n
    real, pointer :: r(:)
    real, target :: x(10)
    x = n
    r => x(1:n)
  end function
end program
