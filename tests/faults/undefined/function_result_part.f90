! told at 13:9: Variable 't' is used before it has a value
! flags: -fcheck=undefined
program fault
  print *, f(2)
contains
  real function f(n)
    integer, intent(in) :: n
    real :: t
    integer :: i
    do i = 1, n
      if (i > 2) t = i
    end do
    f = t
  end function
end program
