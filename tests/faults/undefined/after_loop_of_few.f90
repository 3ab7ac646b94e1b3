! told at 10:12: Variable 'a' is used before it has a value: element (10)
! flags: -fcheck=undefined
program fault
  integer :: a(10), i, n
  n = 9
  do i = 1, n
    a(i) = i
  end do
  print *, a(n)
  print *, a(n + 1)
end program
