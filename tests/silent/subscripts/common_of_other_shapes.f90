! A block of COMMON has other arrays in each procedure.
program right
  real :: a(2, 3)
  common /store/ a
  a = 1
  call s
  print *, a
end program
subroutine s
  real :: b(6), x
  integer :: i
  common /store/ b
  x = 0
  do i = 1, 6
    x = x + b(i)
    b(i) = x
  end do
end subroutine
