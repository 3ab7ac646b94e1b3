! Arrays without elements, with one, and fewer elements than ranks; one array on a position of a grid.
program zero
  integer :: z(0), one(1), few(3), i
  real :: m(2, 0:2)
!HPF$ PROCESSORS p(2, 3)
!HPF$ DISTRIBUTE z(BLOCK)
!HPF$ DISTRIBUTE one(CYCLIC)
!HPF$ DISTRIBUTE few(BLOCK)
!HPF$ DISTRIBUTE m(CYCLIC, BLOCK(1)) ONTO p
  do i = 1, size(z)
    z(i) = i
  end do
  one(1) = 5
  do i = 1, 3
    few(i) = one(1) + i
    m(1, i - 1) = few(i)
    m(2, i - 1) = -m(1, mod(i, 1))
  end do
  few(1:2) = few(2:3)
  print *, z, one, few, sum(z)
  print *, m
end program
