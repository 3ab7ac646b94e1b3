! The name of a subroutine, entry or program is no variable in it.
subroutine first(k)
  integer :: k
  real :: b(first)
  k = first + 1
  b = 0
  entry second(k)
  if (second > 2) k = 3
end subroutine

program main
  x = main
contains
  subroutine inner
    real :: b(inner)
    b = 3
  end subroutine
end program
