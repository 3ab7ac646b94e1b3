! told at 13:12: Variable 'a' is used before it has a value: element (3,1)
! flags: -fcheck=undefined
program fault
  real :: a(3, 3)
  integer :: i, j
  do j = 1, 3
    do i = 1, j
      a(i, j) = i + j
    end do
  end do
  print *, a(1, 2), a(3, 3)
  i = 3
  print *, a(i, 1)
end program
