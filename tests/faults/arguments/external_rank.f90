! told at 5:10: The argument 'a' of 's' has rank 1, but rank 0 is passed
program fault
  real :: x
  x = 1
  call s(x)
end program
subroutine s(a)
  real :: a(3)
  a = 1
end subroutine
