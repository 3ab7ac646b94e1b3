! told at 9:11: Variable 'a' is used before it has a value
! flags: -fcheck=undefined
program fault
  print *, f(2)
contains
    real function f(k)
      integer, intent(in) :: k
      real :: a(5)
      f = a(k) * 2
    end function
end program
