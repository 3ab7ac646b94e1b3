! Kinds that do not exist or are not constant.
program kind_bad
  implicit none
  integer, parameter :: n = 3
  integer(3) :: a
  real*6 b
  logical(kind=16000) :: c
  integer(n) :: d
  integer :: k
  integer(k) :: e
  complex*7 f
  double precision*8 g
  print *, 1_3, 2.0_5, .true._77
end program
