! told at 16:12: Variable 'b' is used before it has a value: 1 of its elements have none
! flags: -fcheck=undefined
program fault
  real :: a(3, 3), b(4)
  integer :: i, j
  do j = 1, 3
    do i = 2, 3
      a(i, j) = 1
    end do
  end do
  do i = 1, 4
    if (i == 3) cycle
    b(i) = 1
  end do
  print *, a(2:, :), b(1:2)
  print *, b
end program
