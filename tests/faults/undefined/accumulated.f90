! told at 7:13, where i = 1: 'total'
! flags: -fcheck=undefined
program fault
  integer :: i
  real :: total
  do i = 1, 3
    total = total + i
  end do
  print *, total
end program
