! told at 10:11: Variable 'x' is used before it has a value
! flags: -fcheck=undefined
program fault
  print *, f(-1)
contains
    real function f(n)
      integer, intent(in) :: n
      real :: x
      if (n > 0) x = 1
      f = x
    end function
end program
