! told at 4:3: Loop variable has been modified
program fault
  real :: x
  do x = 0.5, 2.5, 0.5
    call double(x)
  end do
contains
  subroutine double(y)
    real :: y
    y = 2 * y
  end subroutine
end program
