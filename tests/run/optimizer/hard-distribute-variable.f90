! A variable of two inner loops, the second of them in a conditional: which of them leaves its value.
program variable
  implicit none
  real :: a(12, 12)
  integer :: j, k, n, s
  a = 0
  do n = 1, 4
    do j = 1, n
      do k = 1, 9
        a(j, k) = a(j, k) + k
      end do
      if (j <= 2) then
        do k = 1, 3
          a(j, k) = a(j, k) * 2
        end do
      end if
    end do
    print *, n, j, k
    do j = 1, n
      do k = 1, 5
        a(j, k) = a(j, k) - 1
      end do
      do s = j, 2
        do k = 1, 7
          a(j, k + s) = a(j, k + s) + 0.5
        end do
      end do
    end do
    print *, n, j, k, s
  end do
  print '(6f8.2)', a
end program variable
