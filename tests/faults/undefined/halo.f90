! told at 10:12, where i = 1: Variable 'a' is used before it has a value: element (0)
! flags: -fcheck=undefined
program fault
  real :: a(0:11), b(10)
  integer :: i
  do i = 1, 10
    a(i) = i
  end do
  do i = 1, 10
    b(i) = a(i-1) + a(i+1)
  end do
  print *, b
end program
