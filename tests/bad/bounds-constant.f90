! Constant subscripts outside of constant bounds.
program bounds_constant
  implicit none
  integer :: a(3), b(0:2, -1:1)
  character(len=4) :: s
  integer, parameter :: p(2) = (/ 5, 6 /)
  integer, parameter :: q = p(3)
  a = 0
  print *, p(0)
end program
