! told at 9:9: Recursive call to nonrecursive procedure 'two'
program fault
  call one(2)
end program
subroutine one(n)
  integer :: n
  if (n > 0) call between(n - 1)
  return
  entry two(n)
  print *, n
end subroutine
subroutine between(n)
  integer :: n
  call two(n)
end subroutine
