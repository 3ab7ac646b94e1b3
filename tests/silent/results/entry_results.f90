! The results of all names of a function are one variable: either name sets it.
program right
  integer, external :: ifirst, isecond
  print *, ifirst(2), isecond(3)
end program
integer function ifirst(k)
  integer :: k
  ifirst = k
  return
  entry isecond(k)
  ifirst = 10 * k
end function
