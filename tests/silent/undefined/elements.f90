program right
  real :: a(3, 3), b(9), c(0:4)
  integer :: i, j
  do j = 1, 3
    do i = 1, 3
      if (i <= j) then
        a(i, j) = i + j
      else
        a(i, j) = 0
      end if
    end do
  end do
  print *, a
  b(1:9:2) = 1
  b(2:8:2) = 2
  print *, sum(b), b(9:1:-1)
  c(0) = 1
  do i = 1, 4
    c(i) = c(i - 1) * 2
  end do
  print *, c, maxval(c(1:))
  b(5:4) = b(2:1)
end program
