! GEN_BLOCK and INDIRECT.
program irregular
  integer, parameter :: n = 12
  integer, parameter :: sizes(3) = [5, 1, 6]
  integer, parameter :: where(n) = [1, 3, 2, 2, 1, 3, 3, 1, 2, 1, 3, 2]
  integer :: a(n), b(n), i
!HPF$ PROCESSORS p(3)
!HPF$ DISTRIBUTE a(GEN_BLOCK(sizes)) ONTO p
!HPF$ DISTRIBUTE b(INDIRECT(where)) ONTO p
  do i = 1, n
    a(i) = i
    b(i) = n - i
  end do
  do i = 1, n
    a(i) = a(i) + b(n + 1 - i)
  end do
  do i = 2, n
    b(i) = b(i - 1) + a(i)
  end do
  print *, a
  print *, b
end program
