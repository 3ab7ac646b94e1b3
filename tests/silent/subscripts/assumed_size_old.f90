! An assumed-size array begins at an element of another one.
program right
  real :: a(5)
  a = 2
  call s(a, 5)
  call s(a(3), 3)
  print *, a
end program
subroutine s(x, n)
  integer :: n, i
  real :: x(*)
  do i = 1, n
    x(i) = x(i) + 1
  end do
end subroutine
