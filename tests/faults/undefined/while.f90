! told at 5:13: Variable 'x' is used before it has a value
! flags: -fcheck=undefined
program fault
  real :: x
  do while (x > 1)
    x = x / 2
  end do
end program
