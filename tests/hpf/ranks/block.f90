! BLOCK in one dimension: neighbours are fetched from the rank before and behind.
program block
  integer, parameter :: n = 23
  real(8) :: a(n), b(n)
!HPF$ PROCESSORS p(number_of_processors())
!HPF$ DISTRIBUTE a(BLOCK) ONTO p
!HPF$ ALIGN b(i) WITH a(i)
  integer :: i, it
  do i = 1, n
    a(i) = mod(i * i, 7) * 0.5d0
    b(i) = 0
  end do
  do it = 1, 4
    do i = 2, n - 1
      b(i) = (a(i - 1) + a(i + 1)) / 2
    end do
    do i = 2, n - 1
      a(i) = b(i)
    end do
  end do
  print '(6f9.5)', a
end program
