! told at 11:16: Variable 'x' is used before it has a value: 1 of its elements have none
! flags: -fcheck=undefined
program fault
  real(8), allocatable :: x(:, :)
  integer :: i
  allocate (x(4, 0:3))
  do i = 1, 4
    x(i, 0:2) = i
  end do
  print *, sum(x(:, 1))
  print *, sum(x(2, :))
end program
