! told at 11:9: The result of function 'two' is not set
program fault
  integer, external :: one, two
  print *, one(1)
  print *, two(-1)
end program
integer function one(k)
  integer :: k, two
  one = k
  return
  entry two(k)
  if (k > 0) two = k
end function
