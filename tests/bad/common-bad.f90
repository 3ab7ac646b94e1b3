! COMMON of what may not be there, twice, with different bounds.
subroutine s(x)
  implicit none
  integer :: x, y, z(2), f
  integer, parameter :: n = 3
  external f
  common /a/ x
  common /b/ y
  common /c/ y
  common /d/ n
  common /e/ z(3)
  common /g/ f
  common /h/ s
end subroutine
program common_bad
  implicit none
end program
