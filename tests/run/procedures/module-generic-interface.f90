! A generic name resolved by type, kind and rank; specific procedures of several forms.
module m
  implicit none
  private
  public :: swap, norm, describe
  interface swap
    module procedure swap_i, swap_r, swap_d, swap_v
  end interface
  interface norm
    module procedure norm1, norm2d
    procedure norm3
  end interface
  interface describe
    module procedure describe
    module procedure describe_two
  end interface
contains
  subroutine swap_i(a, b)
    integer, intent(inout) :: a, b
    integer :: t
    t = a; a = b; b = t
  end subroutine
  subroutine swap_r(a, b)
    real, intent(inout) :: a, b
    real :: t
    t = a; a = b; b = t
  end subroutine
  subroutine swap_d(a, b)
    real(8), intent(inout) :: a, b
    real(8) :: t
    t = a; a = b; b = t
  end subroutine
  subroutine swap_v(a, b)
    integer, intent(inout) :: a(:), b(:)
    integer :: t(size(a))
    t = a; a = b; b = t
  end subroutine
  real function norm1(x)
    real, intent(in) :: x(:)
    norm1 = sqrt(sum(x*x))
  end function
  real function norm2d(x)
    real, intent(in) :: x(:,:)
    norm2d = sum(x)
  end function
  real function norm3(x, p)
    real, intent(in) :: x(:)
    integer, intent(in) :: p
    norm3 = sum(abs(x)**p)
  end function
  subroutine describe(i)
    integer, intent(in) :: i
    print *, 'integer', i
  end subroutine
  subroutine describe_two(c, n)
    character(len=*), intent(in) :: c
    integer, intent(in), optional :: n
    if (present(n)) then
      print *, 'string ', c, n
    else
      print *, 'string ', c
    end if
  end subroutine
end module
program p
  use m
  implicit none
  integer :: i, j, v(3), w(3)
  real :: x, y, a(2,2)
  real(8) :: d, e
  i = 1; j = 2; x = 1; y = 2; d = 1; e = 2
  v = [1,2,3]; w = [4,5,6]
  call swap(i, j); call swap(x, y); call swap(d, e); call swap(v, w)
  print *, i, j, x, y, d, e, v, w
  a = 1
  print *, norm([3.0, 4.0]), norm(a), norm([1.0, -2.0], 3), norm(p=1, x=[-1.0])
  call describe(7)
  call describe('abc')
  call describe('abc', 5)
  call describe(n=3, c='k')
end program
