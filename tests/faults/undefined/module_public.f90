! told at 11:14: Variable 'level' is used before it has a value
! flags: -fcheck=undefined
module m
  integer :: level
  real :: table(10)
contains
  subroutine set(n)
    integer, intent(in) :: n
    integer :: k
    if (n > 0) level = n
    k = n +  level
    print *, k
  end subroutine
end module
program fault
  use m
  call set(0)
end program
