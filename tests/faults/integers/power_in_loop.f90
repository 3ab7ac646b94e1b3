! told at 6:12, where i = 10: Integer overflow: 10 ** 10
! flags: -fcheck=overflow
program fault
  integer :: i, n(12)
  do i = 1, 12
    n(i) = 10**i
  end do
  print *, n
end program
