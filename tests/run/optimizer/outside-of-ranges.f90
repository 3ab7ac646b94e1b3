! Values below 1 or above a bound that may be less than 0, in both kinds, at the ends of the numbers.
program p
  implicit none
  integer, parameter :: long = selected_int_kind(18)
  integer :: x(9), u(6), i, j, n
  integer(long) :: y(9), v(6)
  x = [-huge(1) - 1, -huge(1), -1, 0, 1, 2, 64, 65, huge(1)]
  u = [-huge(1) - 1, -1, 0, 1, 64, huge(1)]
  y = x
  v = u
  y(1) = -huge(y) - 1
  y(9) = huge(y)
  v(1) = -huge(v) - 1
  v(6) = huge(v)
  n = 0
  do j = 1, 6
    do i = 1, 9
      if (x(i) < 1 .or. x(i) > u(j)) then
        n = n + 1
        write (*, '(i1)', advance='no') 1
      else
        write (*, '(i1)', advance='no') 0
      end if
      if (y(i) < 1 .or. y(i) > v(j)) then
        n = n + 100
        write (*, '(i1)', advance='no') 1
      else
        write (*, '(i1)', advance='no') 0
      end if
    end do
    print *
  end do
  print *, n
  do i = 1, 9
    if (x(i) < 1 .or. x(i) > 64) then
      print *, x(i), 'is outside'
    end if
    if (.not. (y(i) < 1 .or. y(i) > -5)) print *, 'never'
    if (x(i) < 1 .or. x(i) > 0) n = n + 1
  end do
  print *, n
end program
