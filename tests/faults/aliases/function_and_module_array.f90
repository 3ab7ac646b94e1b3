! told at 9:12: 'x' is used, and 'table', which is the same storage, is defined at function_and_module_array.f90:8:5
! flags: -fcheck=alias
module data
  real :: table(3) = [1., 2., 3.]
contains
  real function next(x)
    real, intent(in) :: x
    table(2) = 9
    next = x + 1
  end function
end module
program fault
  use data
  print *, next(table(2))
end program
