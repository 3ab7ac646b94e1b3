! told at 12:13, where i = 50: Variable 'a' is used before it has a value: element (50)
! flags: -fcheck=undefined
program fault
  integer, parameter :: n = 50
  integer :: a(n), i, m, s
  m = n - 1
  do i = 1, m
    a(i) = i
  end do
  s = 0
  do i = 1, n
    s = s + a(i)
  end do
  print *, s
end program
