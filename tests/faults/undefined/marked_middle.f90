! told at 13:13, where i = 30: Variable 'a' is used before it has a value: element (30)
! flags: -fcheck=undefined
program fault
  integer, parameter :: n = 50
  real(8) :: a(n), s
  integer :: i, m
  m = n
  do i = 1, m
    if (i /= 30) a(i) = i
  end do
  s = 0
  do i = 1, m
    s = s + a(i)
  end do
  print *, s
end program
