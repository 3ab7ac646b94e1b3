program p
  pointer (q, x)
  real :: x
end program
