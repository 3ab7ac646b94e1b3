! told at 10:12: Variable 'n' is used before it has a value
! flags: -fcheck=undefined
program fault
  integer :: i, n
  do i = 1, 2
    if (i == 1) cycle
    if (i == 2) exit
    n = 4
  end do
  print *, n
end program
