! Sections: strides, negative strides, single columns and rows, empty ones.
program array_sections
  implicit none
  integer :: a(10), m(4, 5), i, j
  a = (/ (i, i = 1, 10) /)
  print *, a(2:8:3)
  print *, a(9:1:-4)
  print *, a(:3), a(8:)
  print *, size(a(5:4)), size(a(5:4:-1)), size(a(::3))
  do j = 1, 5
    do i = 1, 4
      m(i, j) = 10 * i + j
    end do
  end do
  print *, m(2, :)
  print *, m(:, 3)
  print *, m(1:4:3, 5:1:-2)
  m(2:3, 2:4) = 0
  m(4, 1:5:2) = (/ 7, 8, 9 /)
  print *, m
end program
