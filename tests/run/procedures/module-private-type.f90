! A type with private components: operators, assignment both ways, generic names, elemental functions.
module m
  implicit none
  private
  public :: stack, push, pop, operator(==), assignment(=), show, is_empty
  integer, parameter :: maxn = 10
  type stack
    private
    integer :: n = 0
    real :: v(maxn) = 0
  end type
  interface operator(==)
    module procedure same
  end interface
  interface assignment(=)
    module procedure from_array, to_array
  end interface
  interface push
    module procedure push_real, push_many
  end interface
contains
  pure logical function same(a, b)
    type(stack), intent(in) :: a, b
    same = a%n == b%n
    if (same) same = all(a%v(:a%n) == b%v(:b%n))
  end function
  pure subroutine from_array(s, x)
    type(stack), intent(out) :: s
    real, intent(in) :: x(:)
    s%n = size(x)
    s%v(:s%n) = x
  end subroutine
  pure subroutine to_array(x, s)
    real, intent(out) :: x(:)
    type(stack), intent(in) :: s
    x = 0
    x(:min(size(x), s%n)) = s%v(:min(size(x), s%n))
  end subroutine
  subroutine push_real(s, x)
    type(stack), intent(inout) :: s
    real, intent(in) :: x
    s%n = s%n + 1
    s%v(s%n) = x
  end subroutine
  subroutine push_many(s, x)
    type(stack), intent(inout) :: s
    real, intent(in) :: x(:)
    integer :: i
    do i = 1, size(x)
      call push(s, x(i))
    end do
  end subroutine
  real function pop(s)
    type(stack), intent(inout) :: s
    pop = s%v(s%n)
    s%n = s%n - 1
  end function
  elemental logical function is_empty(s)
    type(stack), intent(in) :: s
    is_empty = s%n == 0
  end function
  subroutine show(s)
    type(stack), intent(in) :: s
    print '(*(f6.2))', s%v(:s%n)
  end subroutine
end module
program p
  use m
  implicit none
  type(stack) :: a, b, c(3)
  real :: x(4), y
  a = [1.0, 2.0, 3.0]
  b = a
  print *, a == b, is_empty(c), is_empty(a)
  call push(b, 4.5)
  call push(b, [5.5, 6.5])
  call show(b)
  y = pop(b)
  print *, y, a == b
  x = b
  print *, x
  c(2) = a
  print *, c(2) == a, c(1) == a, is_empty(c)
end program
