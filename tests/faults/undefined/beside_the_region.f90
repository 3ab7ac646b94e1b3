! told at 18:12, where j = 1: Variable 'b' is used before it has a value: element (2,1)
! flags: -fcheck=undefined
program fault
  integer, parameter :: n = 6
  real :: b(n, n), c(n)
  integer :: i, j
  do j = 2, n - 1
    do i = 2, n - 1
      b(i, j) = i * j
    end do
  end do
  do j = 3, n - 2
    do i = 3, n - 2
      b(i, j) = b(i + 1, j) + b(i, j - 1)
    end do
  end do
  do j = 1, n
    c(j) = b(2, j)
  end do
  print *, c
end program
