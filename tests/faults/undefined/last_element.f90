! told at 9:14: Variable 'a' is used before it has a value: element (4)
! flags: -fcheck=undefined
program fault
  real :: a(4), b
  integer :: i
  do i = 1, 3
    a(i) = i
  end do
  b = a(1) + a(4)
  print *, b
end program
