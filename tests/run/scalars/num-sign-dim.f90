! SIGN DIM ABS MAX MIN with their old specific names.
program num_sign_dim
  implicit none
  integer :: i
  do i = -2, 2, 2
    print *, sign(5, i), sign(-5, i), dim(i, 1), iabs(i), isign(3, -i)
  end do
  print *, sign(1.5, -0.0), sign(2.5d0, -3.0d0), dim(3.5, 1.0), dim(1.0d0, 3.0d0), ddim(5d0, 1d0)
  print *, max(1, 5, 3), min(2.5, -1.0, 7.0), max0(1, 2), amax1(1.0, 2.0), dmin1(1d0, 2d0)
  print *, amax0(3, 4), min1(2.7, 3.1), max(1.0d0, 2.0d0, -3.0d0)
  print *, abs(-3.5), dabs(-2d0), abs(-7_8), sign(huge(1), -1)
end program
