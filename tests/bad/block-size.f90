program p
  real :: a(8)
!HPF$ DISTRIBUTE a(BLOCK(0))
  a = 1
end program
