! told at 9:15: Variable 'x' is used before it has a value
! flags: -fcheck=undefined
program fault
  print *, f(1.0)
contains
    real function f(y)
      real, intent(in) :: y
      real :: x
      f = y * x
    end function
end program
