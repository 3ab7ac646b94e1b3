! told at 5:12: Recursive call to nonrecursive procedure 's'
program fault
  call s(3)
end program
subroutine s(n)
  integer :: n
  if (n > 0) call t(n - 1)
end subroutine
subroutine t(n)
  integer :: n
  call s(n)
end subroutine
