! told at 7:19: recursive
program fault
  call s(3)
end program
subroutine s(n)
  integer :: n
  if (n > 0) call s(n - 1)
end subroutine
