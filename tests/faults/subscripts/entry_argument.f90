! told at 16:7, where i = 5: Index '5' of dimension 1 of array 'x' above upper bound of 4
program fault
  real :: a(4) = 1.0
  call second(a, 4)
  print *, a
end program
subroutine first(x, n)
  integer :: n, i
  real :: x(n)
  do i = 1, n
    x(i) = 0.0
  end do
  return
entry second(x, n)
  do i = 1, n + 1
    x(i) = x(i) + 1.0
  end do
end subroutine
