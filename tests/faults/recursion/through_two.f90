! told at 6:12: Recursive call to nonrecursive procedure 'a'
program fault
  external :: b
  call a(3)
end program
subroutine a(n)
  integer :: n
  external :: b
  if (n > 0) call b(n)
end subroutine
subroutine b(n)
  integer :: n
  call a(n - 1)
end subroutine
