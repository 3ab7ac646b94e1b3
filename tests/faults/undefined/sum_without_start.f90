! told at 7:13, where i = 1: Variable 'total' is used before it has a value
! flags: -fcheck=undefined
program fault
  real :: total, a(3) = 1
  integer :: i
  do i = 1, 3
    total = total + a(i)
  end do
  print *, total
end program
