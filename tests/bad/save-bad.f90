! SAVE of what cannot be saved.
subroutine s(x, n)
  implicit none
  integer :: n, x, a(n), y
  integer, parameter :: p = 1
  save x
  save a
  save p
  save /nothing/
end subroutine
program save_bad
  implicit none
end program
