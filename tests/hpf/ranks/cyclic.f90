! CYCLIC and CYCLIC(k), and a copy between the two.
program cyclic
  integer, parameter :: n = 19
  integer :: a(n), b(0:n - 1), i
!HPF$ DISTRIBUTE a(CYCLIC)
!HPF$ DISTRIBUTE b(CYCLIC(3))
  do i = 1, n
    a(i) = 3 * i
  end do
  do i = 1, n
    b(i - 1) = a(n + 1 - i) - i
  end do
  do i = 2, n
    a(i) = a(i - 1) + b(i - 1)
  end do
  print *, a
  print *, b
end program
