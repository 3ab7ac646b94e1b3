! told at 12:24, where k = 1: Variable 'a' is used before it has a value: element (2,2)
! flags: -fcheck=undefined
program fault
  integer, parameter :: n = 4
  real :: a(n, n), t
  integer :: i, k
  t = 0
  do k = 1, n
    do i = 1, n - 1
      a(i, k) = i
    end do
    if (k < n) t = t + a(2, k + 1)
  end do
  print *, t
end program
