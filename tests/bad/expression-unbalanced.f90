! Brackets that do not match.
program expression_unbalanced
  implicit none
  integer :: a(3)
  a = (/ 1, 2, 3 )
  a = [ 1, 2, 3 /)
  a(1] = 2
  a = ((((1)))
end program
