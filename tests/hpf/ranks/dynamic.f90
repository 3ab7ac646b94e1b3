! REDISTRIBUTE and REALIGN.
program dynamic
  integer, parameter :: n = 8
  real :: a(n), b(n), t(n, n)
!HPF$ DYNAMIC a, b, t
!HPF$ DISTRIBUTE a(BLOCK)
!HPF$ ALIGN b(i) WITH a(i)
!HPF$ DISTRIBUTE t(BLOCK, *)
  integer :: i, j
  do i = 1, n
    a(i) = i
    b(i) = -i
    t(i, :) = [(i * j, j = 1, n)]
  end do
!HPF$ REDISTRIBUTE a(CYCLIC)
  do i = 2, n
    a(i) = a(i - 1) + b(i)
  end do
!HPF$ REALIGN b(i) WITH t(i, 1)
!HPF$ REDISTRIBUTE t(*, BLOCK)
  do j = 2, n
    do i = 1, n
      t(i, j) = t(i, j - 1) + b(j) * a(i)
    end do
    b(j) = t(j, j)
  end do
  print '(8f10.1)', a, b, t
end program
