! told at 10:14, where i = 5: Variable 'x' is used before it has a value: element (5)
! flags: -fcheck=undefined
program fault
  real :: x(8), y
  integer :: i
  common /c/ x, y
  call fill
  y = 0
  do i = 1, 8
    y = y + (x(i))
  end do
  print *, y
end program
subroutine fill
  real :: x(8), y
  integer :: k
  common /c/ x, y
  do k = 1, 4
    x(k) = k
  end do
end subroutine
