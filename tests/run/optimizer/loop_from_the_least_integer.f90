! Loops that begin at the least integer: constants of subscripts, put together, are none of their type
program loop_from_the_least_integer
  implicit none
  real(8) :: a(50)
  integer :: i, k, n
  integer, parameter :: least = -2147483647 - 1
  do i = 1, 50
    a(i) = mod(i * 17, 23)
  end do
  k = 7
  n = 7
  do i = least, least + n - 1
    if (a(i - least + 1) > 3) k = i
  end do
  print *, k
  call shifted(a, n, 5)
contains
  subroutine shifted(a, n, m)
    integer, intent(in) :: n, m
    real(8), intent(in) :: a(n)
    integer :: i, k
    k = 0
    do i = least + m, least + m + n - 1
      if (a(i - (least + m) + 1) > 3) k = i
    end do
    print *, k
    do i = huge(i) - n + 1, huge(i) - 1
      if (a(i - (huge(i) - n)) > 3) k = i
    end do
    print *, k
  end subroutine
end program
