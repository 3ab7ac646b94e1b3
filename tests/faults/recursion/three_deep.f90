! told at 5:12: Recursive call to nonrecursive procedure 'a'
program fault
  call a(1)
end program
subroutine a(n)
  call b(n)
end subroutine
subroutine b(n)
  call c(n)
end subroutine
subroutine c(n)
  if (n > 0) call a(n - 1)
end subroutine
