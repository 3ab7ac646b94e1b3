! ENTRY, BLOCK DATA, statement order, and a mapped dummy that is also global.
block data
  integer :: k(6)
  common /c/ k
!HPF$ DISTRIBUTE k(BLOCK)
  data k /6, 5, 4, 3, 2, 1/
end block data

program entries
  integer :: k(6)
  common /c/ k
!HPF$ DISTRIBUTE k(BLOCK)
  integer :: v(6), i
!HPF$ DISTRIBUTE v(CYCLIC(2))
  do i = 1, 6
    v(i) = k(i) * 10
  end do
  call first(v)
  call second(v, 3)
  call change
  do i = 1, 6
    v(i) = v(i) + k(7 - i)
  end do
  print *, k, v
end program

subroutine first(x)
  integer :: x(6), m, i
!HPF$ DISTRIBUTE x(BLOCK)
  x(1) = -1
  m = 2
  goto 10
  entry second(x, m)
  x(m) = x(m) + 1
10 do i = m, 6
    x(i) = x(i) + x(i - 1)
  end do
end subroutine

subroutine change
  integer :: k(6), i
  common /c/ k
!HPF$ DISTRIBUTE k(BLOCK)
  do i = 6, 2, -1
    k(i) = k(i) + k(i - 1)
    if (k(i) == 7) return
  end do
end subroutine
