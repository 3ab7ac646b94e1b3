! told at 10:12: Variable 'n' is used before it has a value
! flags: -fcheck=undefined
program fault
  integer :: n, m
  m = 3
  part: block
    if (m > 2) exit part
    n = 4
  end block part
  print *, n
end program
