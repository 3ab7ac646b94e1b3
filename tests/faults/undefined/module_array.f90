! told at 12:12: Variable 'table' is used before it has a value: element (4)
! flags: -fcheck=undefined
module m
  real :: table(10)
end module
program fault
  use m, only: t => table
  integer :: i
  do i = 1, 3
    t(i) = i
  end do
  print *, t(i)
end program
