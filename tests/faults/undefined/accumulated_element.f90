! told at 6:29, where i = 1: Variable 'histogram' is used before it has a value: element (1)
! flags: -fcheck=undefined
program fault
  integer :: histogram(0:9), i
  do i = 1, 100
    histogram(mod(i, 10)) = histogram(mod(i, 10)) + 1
  end do
  print *, histogram
end program
