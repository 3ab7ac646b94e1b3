! Array expressions as actual arguments of external procedures.
program array_function_arguments
  implicit none
  integer :: a(6), i
  integer, external :: total
  a = (/ (i, i = 1, 6) /)
  print *, total(a, 6), total(a + 1, 6), total(a(::2), 3), total(a(6:2:-2) * 2, 3)
  print *, total((/ 5, 6, 7 /), 3), total(a(2:4), 3), total(reshape(a, (/ 2, 3 /)), 6)
  print *, total(merge(a, 0, a > 3), 6), total(a(3), 4), total((a), 2)
end program
integer function total(v, n)
  implicit none
  integer, intent(in) :: n
  integer, intent(in) :: v(n)
  integer :: i
  total = 0
  do i = 1, n
    total = total * 10 + v(i)
  end do
  total = mod(total, 1000000)
end function
