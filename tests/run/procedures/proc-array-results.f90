! Array-valued functions with shapes from their arguments.
module m
  implicit none
contains
  function outer(a, b) result(c)
    real, intent(in) :: a(:), b(:)
    real :: c(size(a), size(b))
    integer :: i, j
    do j = 1, size(b)
      do i = 1, size(a)
        c(i, j) = a(i)*b(j)
      end do
    end do
  end function
  pure function linspace(a, b, n) result(x)
    real, intent(in) :: a, b
    integer, intent(in) :: n
    real :: x(0:n-1)
    integer :: i
    do i = 0, n - 1
      x(i) = a + (b - a)*i/(n - 1)
    end do
  end function
  recursive function sorted(a) result(s)
    integer, intent(in) :: a(:)
    integer :: s(size(a))
    integer :: pivot
    if (size(a) <= 1) then
      s = a
    else
      pivot = a(1)
      s = [sorted(pack(a(2:), a(2:) < pivot)), pivot, sorted(pack(a(2:), a(2:) >= pivot))]
    end if
  end function
  function identity(n) result(e)
    integer, intent(in) :: n
    real, dimension(n, n) :: e
    integer :: i
    e = 0
    forall (i=1:n) e(i, i) = 1
  end function
end module
program p
  use m
  implicit none
  real :: x(5)
  print *, outer([1., 2.], [3., 4., 5.])
  x = linspace(0., 1., 5)
  print '(5f6.3)', x
  print *, sorted([3, 1, 4, 1, 5, 9, 2, 6])
  print *, matmul(identity(2), reshape([1., 2., 3., 4.], [2, 2]))
  print *, sum(linspace(1., 3., 3)), shape(outer(x, x(1:2)))
end program
