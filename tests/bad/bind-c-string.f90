! A string that C does not have, and a feature that is not there yet.
subroutine of_c(text, n) bind(c)
  character(*) :: text
  integer :: n
  print *, text, n
end subroutine
program p
  implicit none
  character(3) :: words(2, 2) = 'abc'
  integer :: n = 1
  print *, maxval(words, dim=n)
end program
