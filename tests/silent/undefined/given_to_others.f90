program right
  real :: a(4), b(2, 2)
  integer :: n, k(3)
  call fill(a)
  print *, a
  call some(b(1, 1), 4)
  print *, b
  read (*, *, iostat=n) k
  if (n == 0) print *, k
  call random_number(a)
  if (all(a >= 0)) print *, 'positive'
contains
  subroutine fill(x)
    real, intent(out) :: x(:)
    integer :: i
    do i = 1, size(x)
      x(i) = i
    end do
  end subroutine
  subroutine some(x, n)
    integer, intent(in) :: n
    real :: x(n)
    x = 2
  end subroutine
end program
