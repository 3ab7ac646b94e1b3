! told at 4:10: INTEGER
program p
  integer :: k
  call s(k)
end program
subroutine s(x)
  real :: x
  x = 1
end subroutine
