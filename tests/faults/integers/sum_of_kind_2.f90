! told at 6:7: Integer overflow: 32767 + 1
! flags: -fcheck=overflow
program fault
  integer(2) :: k
  k = 32767_2
  k = k + 1_2
  print *, k
end program
