! told at 7:3: Dummy argument 'n' is associated with a constant or expression
program fault
  call s(5)
end program
subroutine s(n)
  integer :: n
  n = n + 1
end subroutine
