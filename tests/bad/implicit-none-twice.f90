! IMPLICIT NONE twice, and together with IMPLICIT.
program implicit_none_twice
  implicit none
  implicit none
  implicit integer (i)
end program
