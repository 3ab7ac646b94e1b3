program p
  real :: a(4611686018427387904_8, 4)
  a = 0
end program
