! Names without a declaration under IMPLICIT NONE.
program undeclared
  implicit none
  integer :: i
  i = 1
  j = i + k
  do n = 1, 3
    i = i + 1
  end do
  a(i) = 2
  print *, i, missing
end program
