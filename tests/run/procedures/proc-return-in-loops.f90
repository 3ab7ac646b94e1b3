! RETURN from inside nested loops of a function, result set on every way out.
program proc_return_in_loops
  implicit none
  integer :: m(3, 4), i, j
  integer, external :: locate
  do j = 1, 4
    do i = 1, 3
      m(i, j) = i * j
    end do
  end do
  print *, locate(m, 3, 4, 6), locate(m, 3, 4, 12), locate(m, 3, 4, 7)
end program
integer function locate(m, rows, columns, value)
  implicit none
  integer, intent(in) :: rows, columns, value
  integer, intent(in) :: m(rows, columns)
  integer :: i, j
  locate = -1
  do j = 1, columns
    do i = 1, rows
      if (m(i, j) == value) then
        locate = 10 * i + j
        return
      end if
    end do
  end do
end function
