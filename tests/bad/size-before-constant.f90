! A constant that is declared after the arrays that it gives the size of.
module m
  implicit none
  integer :: k(n)
  character(n) :: c
  integer, parameter :: n = 40
end module
end
