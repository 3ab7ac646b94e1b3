! told at 14:11: Variable 'values' is used before it has a value: element (6)
! flags: -fcheck=undefined
module store
  implicit none
  real, private :: values(100)
contains
  subroutine put(k, v)
    integer, intent(in) :: k
    real, intent(in) :: v
    values(k) = v
  end subroutine
  real function get(k)
    integer, intent(in) :: k
    get = values(k)
  end function
end module
program fault
  use store
  call put(5, 2.)
  print *, get(5)
  print *, get(6)
end program
