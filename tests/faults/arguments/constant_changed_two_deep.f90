! told at 12:3: Dummy argument 'k' is associated with a constant or expression
program fault
  call a(5)
  print *, 5
end program
subroutine a(k)
  integer :: k
  call b(k)
end subroutine
subroutine b(k)
  integer :: k
  k = k + 1
end subroutine
