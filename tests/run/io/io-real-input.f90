! Forms of real constants in formatted and list-directed input.
program reals
  implicit none
  character(14) :: t(16) = [character(14) :: '1', '1.', '.5', '-1.5e2', '1d2', '1q1', '1+2', '1-2', '1.5E+03', &
    '+.25', ' 12345', '1e5', 'inf', '-Infinity', 'NaN', '1.e-2']
  character(8) :: u
  real(8) :: x
  integer :: k, s
  do k = 1, 16
    read (t(k), '(f14.0)', iostat=s) x
    print *, s, x
    read (t(k), *, iostat=s) x
    print *, s, x
  end do
  u = '12345'
  read (u, '(f5.2)') x
  print *, x
  u = '123.4'
  read (u, '(f5.2)') x
  print *, x
  u = '12e1'
  read (u, '(f5.1)') x
  print *, x
  u = '1234567'
  read (u, '(2x,f3.1,e2.0)') x
  print *, x
  do k = 1, 6
    u = bad(k)
    read (u, '(f8.0)', iostat=s) x
    print *, s > 0
  end do
contains
  function bad(k) result(t)
    integer, intent(in) :: k
    character(8) :: t, all(6) = [character(8) :: '1.2.3', 'abc', '1e', '--1', '1e2e3', '1 2 x']
    t = all(k)
  end function
end program
