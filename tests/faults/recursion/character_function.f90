! told at 6:24: Recursive call to nonrecursive procedure 'digits'
program fault
  character(10), external :: digits
  print *, digits(12)
end program
character(10) function digits(n)
  integer :: n
  character(10), external :: more
  digits = '0'
  if (n > 9) digits = more(n)
end function
character(10) function more(n)
  integer :: n
  character(10), external :: digits
  more = digits(n / 10)
end function
