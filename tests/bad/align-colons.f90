program p
  real :: a(8, 8), b(8)
!HPF$ ALIGN a(:, :) WITH b(:)
  a = 1
  b = 2
end program
