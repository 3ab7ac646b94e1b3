! INT of numbers that do not fit, alone and in loops: the least integer, also on other processors and at all levels
! not checked: conversions out of range
program int_unfit
  implicit none
  integer, parameter :: n = 19
  real(8) :: x(n)
  real(4) :: y(n)
  integer :: i, k(n), m(n)
  integer(2) :: short(n)
  integer(1) :: byte(n)
  character(12) :: words(6) = ['1e10        ', '-1e10       ', '2147483647.9', '-2147483649 ', 'NaN         ', 'Infinity    ']
  do i = 1, n
    x(i) = i * 1.75d0 - 9
  end do
  do i = 1, 6
    read (words(i), *) x(3 * i)
  end do
  y = real(x, 4)
  do i = 1, n
    k(i) = int(x(i))
  end do
  do i = 1, n
    m(i) = int(y(i))
  end do
  short = int(x, 2)
  byte = int(y, 1)
  do i = 1, n
    print '(5i13)', i, k(i), m(i), short(i), byte(i)
  end do
  do i = 3, 18, 3
    print '(3i13)', alone(x(i)), alone_short(y(i)), alone(x(i) * 0.5d0)
  end do
contains
  integer function alone(z)
    real(8), intent(in) :: z
    alone = int(z) / 2
  end function
  integer function alone_short(z)
    real(4), intent(in) :: z
    alone_short = int(z)
  end function
end program
