! told at 6:13: Variable 'n' is used before it has a value
! flags: -fcheck=undefined
program fault
  integer :: i, n, s
  s = 0
  do i = 1, n
    s = s + i
  end do
  print *, s
end program
