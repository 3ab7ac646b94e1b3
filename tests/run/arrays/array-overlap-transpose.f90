! TRANSPOSE and two-dimensional shifts assigned over their own operand.
program array_overlap_transpose
  implicit none
  integer :: a(3, 3), i, j
  do j = 1, 3
    do i = 1, 3
      a(i, j) = 10 * i + j
    end do
  end do
  a = transpose(a)
  print *, a
  a(2:3, :) = a(1:2, :)
  print *, a
  a(:, 1:2) = a(:, 2:3) - a(:, 1:2)
  print *, a
  a = a + transpose(a)
  print *, a
end program
