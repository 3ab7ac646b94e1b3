! An argument in parentheses, or TRIM of a variable, is a value: the variable may change in the procedure. What a
! function's result points to is a variable.
program main
  implicit none
  type pair
    integer :: a = 2, b = 3
  end type pair
  interface assignment(=)
    procedure swapped
  end interface
  character(12) :: text
  type(pair) :: p, q(3)
  integer :: n = 5, v(3) = [1, 2, 3]
  real, target :: x = 1.5
  text = '1234567890'
  call strings(trim(text), text)
  print *, text
  call numbers((n), n)
  print *, n
  call arrays((v), v)
  print *, v
  p%a = 4
  p = p
  print *, p%a, p%b
  q%a = [1, 2, 3]
  q%b = [4, 5, 6]
  q = q([2, 3, 1])
  print *, q%a, q%b
  call same(f(x))
  print *, x
contains
  subroutine strings(a, b)
    character(*), intent(in) :: a
    character(*), intent(out) :: b
    b = ''
    b = a(3:5)
  end subroutine strings

  subroutine numbers(a, b)
    integer, intent(in) :: a
    integer, intent(out) :: b
    b = 0
    b = b + a
  end subroutine numbers

  subroutine arrays(a, b)
    integer, intent(in) :: a(:)
    integer, intent(out) :: b(:)
    integer :: k
    do k = 1, size(b)
      b(k) = a(size(a) + 1 - k)
    end do
  end subroutine arrays

  elemental subroutine swapped(l, r)
    type(pair), intent(out) :: l
    type(pair), intent(in) :: r
    l%a = r%b
    l%b = r%a
  end subroutine swapped

  function f(a)
    real, pointer :: f
    real, target :: a
    f => a
  end function f

  subroutine same(t)
    real, target :: t
    real, pointer :: p
    p => t
    print *, associated(p, x)
    t = 2.5
  end subroutine same
end program main
