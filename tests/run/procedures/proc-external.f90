! External functions and subroutines, called before and after their text.
subroutine first(a, b)
  implicit none
  integer, intent(in) :: a
  integer, intent(out) :: b
  b = a * a
end subroutine first
program proc_external
  implicit none
  integer :: r
  double precision :: mean3
  external mean3
  call first(12, r)
  print *, r, mean3(1.0d0, 2.0d0, 6.0d0)
  call last(r)
  print *, r
end program proc_external
subroutine last(n)
  implicit none
  integer, intent(inout) :: n
  n = n - 100
end subroutine last
double precision function mean3(x, y, z)
  implicit none
  double precision, intent(in) :: x, y, z
  mean3 = (x + y + z) / 3.0d0
end function mean3
