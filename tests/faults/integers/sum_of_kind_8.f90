! told at 6:7: Integer overflow: 9223372036854775807 + 1
! flags: -fcheck=overflow
program fault
  integer(8) :: k
  k = huge(k)
  k = k + 1_8
  print *, k
end program
