! told at 4:8: argument
program p
  integer :: k
  call s(k)
end program
subroutine s(x, y)
  integer :: x, y
  x = y
end subroutine
