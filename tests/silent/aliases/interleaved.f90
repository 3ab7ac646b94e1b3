subroutine rotate(re, im, n)
  integer :: n, i
  real :: re(2*n), im(2*n), t
  do i = 1, 2*n, 2
    t = re(i)
    re(i) = im(i)
    im(i) = -t
  end do
end subroutine
program right
  real :: c(9)
  integer :: i
  c = [(real(i), i = 1, 9)]
  call rotate(c(1), c(2), 4)
  print *, c
end program
