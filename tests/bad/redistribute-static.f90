program p
  real :: a(8)
!HPF$ DISTRIBUTE a(BLOCK)
  a = 1
!HPF$ REDISTRIBUTE a(CYCLIC)
  print *, a
end program
