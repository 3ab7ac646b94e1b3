! told at 9:12, where i = 2: Variable 'a' is used before it has a value: element (1)
! flags: -fcheck=undefined
program fault
  integer, parameter :: n = 50
  real(8) :: a(n), b(n)
  integer :: i
  b = 1
  do i = 2, n
    a(i) = a(i - 1) + b(i)
  end do
  print *, a(n)
end program
