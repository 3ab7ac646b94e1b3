! told at 7:9, where i = 13: Integer overflow: 479001600 * 13
! flags: -fcheck=overflow
program fault
  integer :: f, i
  f = 1
  do i = 1, 20
    f = f * i
  end do
  print *, f
end program
