! Sections as actual arguments: packed before the call and unpacked after it.
program proc_shared_temporaries
  implicit none
  integer :: m(4, 5), i, j
  do j = 1, 5
    do i = 1, 4
      m(i, j) = 10 * i + j
    end do
  end do
  call bump(m(2, :), 5)
  call bump(m(:, 3), 4)
  call bump(m(1:4:3, 2:5:3), 4)
  call bump(m(3, 5:1:-2), 3)
  do i = 1, 4
    print *, (m(i, j), j = 1, 5)
  end do
end program
subroutine bump(v, n)
  implicit none
  integer, intent(in) :: n
  integer, intent(inout) :: v(n)
  integer :: i
  do i = 1, n
    v(i) = v(i) + 100 * i
  end do
end subroutine
