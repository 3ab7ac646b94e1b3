program right
  real :: a(3, 0:2), b(5)
  integer :: i, j
  do j = 0, 2
    do i = 1, 3
      if (i == j) then
        b(i) = 1
      end if
      a(i, j) = i + j
    end do
  end do
  print *, sum(a), a(1, 0), b(1:2)
  call s(4)
contains
  subroutine s(n)
    integer, intent(in) :: n
    real :: x(n), y(n)
    integer :: i
    do i = 1, n
      x(i) = i
      y(i) = x(i)
    end do
    print *, sum(x), maxval(y)
  end subroutine
end program
