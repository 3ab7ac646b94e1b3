! told at 5:20: DO step value is zero
program fault
  real :: x, h
  h = 0
  do x = 0.0, 1.0, h
    print *, x
  end do
end program
