! EQUIVALENCE joins two COMMON blocks, or extends one before its start.
program equivalence_common_bad
  implicit none
  integer :: a, b, c, d(3)
  common /one/ a
  common /two/ b
  common /three/ c
  equivalence (a, b)
  equivalence (c, d(3))
end program
