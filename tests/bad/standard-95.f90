! options: -std=f95
! Features of later standards, and one that Fortran 95 has deleted.
program standard_95
  implicit none
  integer :: i
  integer :: k(2) = [1, 2]
  real :: x
  pause
  do x = 1.0, 2.0
    i = k(1)
  end do
end program
