module m
  real :: a(1000000000)
end module
