! Arrays are stored by columns, seen through EQUIVALENCE and whole printing.
program array_element_order
  implicit none
  integer :: a(2, 3, 2), v(12), i, j, k
  equivalence (a, v)
  do k = 1, 2
    do j = 1, 3
      do i = 1, 2
        a(i, j, k) = 100 * i + 10 * j + k
      end do
    end do
  end do
  print *, v
  v(5) = 0
  print *, a(1, 3, 1), a(:, 2, 1)
end program
