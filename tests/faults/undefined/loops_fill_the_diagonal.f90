! told at 10:12: Variable 'a' is used before it has a value: element (2,1)
! flags: -fcheck=undefined
program fault
  real :: a(3, 3)
  integer :: i
  do i = 1, 3
    a(i, i) = 1
  end do
  print *, a(2, 2)
  print *, a(2, 1)
end program
