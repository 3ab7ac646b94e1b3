program right
  integer :: a(5), b(5, 5), i, j
  forall (i = 1:5) a(i) = i
  print *, a
  do concurrent (i = 1:5, j = 1:5, i /= j)
    b(i, j) = i - j
  end do
  do i = 1, 5
    b(i, i) = 0
  end do
  print *, sum(b)
end program
