! matrix module with operators on arrays
module matrices
  implicit none
  interface operator(.x.)
    module procedure mm, mv, vm
  end interface
  interface operator(.t.)
    module procedure tr
  end interface
  interface operator(**)
    module procedure mpow
  end interface
  interface det
    module procedure det_r
  end interface
contains
  function mm(a, b) result(c)
    real, intent(in) :: a(:,:), b(:,:)
    real :: c(size(a,1), size(b,2))
    c = matmul(a, b)
  end function
  function mv(a, b) result(c)
    real, intent(in) :: a(:,:), b(:)
    real :: c(size(a,1))
    c = matmul(a, b)
  end function
  function vm(a, b) result(c)
    real, intent(in) :: a(:), b(:,:)
    real :: c(size(b,2))
    c = matmul(a, b)
  end function
  function tr(a) result(c)
    real, intent(in) :: a(:,:)
    real :: c(size(a,2), size(a,1))
    c = transpose(a)
  end function
  recursive function mpow(a, n) result(c)
    real, intent(in) :: a(:,:)
    character(*), intent(in) :: n
    real :: c(size(a,1), size(a,2))
    integer :: k
    read (n, *) k
    c = a
    do while (k > 1)
      c = matmul(c, a)
      k = k - 1
    end do
  end function
  recursive real function det_r(a) result(d)
    real, intent(in) :: a(:,:)
    integer :: j, n
    n = size(a, 1)
    if (n == 1) then
      d = a(1,1)
    else
      d = 0
      do j = 1, n
        d = d + (-1)**(1+j)*a(1,j)*det(a(2:, [integer :: (k(j, n))]))
      end do
    end if
  contains
    function k(j, n) result(idx)
      integer, intent(in) :: j, n
      integer :: idx(n-1), i
      idx = [(i, i=1,j-1), (i, i=j+1,n)]
    end function
  end function
end module
program p
  use matrices
  implicit none
  real :: a(3,3), v(3)
  a = reshape([2., 0., 1., 1., 3., 2., 1., 1., 4.], [3, 3])
  v = [1., 2., 3.]
  print '(3f8.2)', a .x. a
  print '(3f8.2)', a .x. v, v .x. a
  print '(3f8.2)', .t. a
  print '(3f10.2)', a**'3'
  print *, det(a)
end program
