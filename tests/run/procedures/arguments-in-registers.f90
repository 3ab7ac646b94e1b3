! Scalars that procedures only read: calls that know them pass values, all others addresses.
module kinds
  implicit none
  integer :: calls = 0
  character(20) :: text
  abstract interface
    integer function of_three(x, n, w)
      real(8), intent(in) :: x, w
      integer, intent(in) :: n
    end function
  end interface
contains
  ! All sorts, mixed: reals and integers take registers of two kinds.
  integer function mixed(x, n, w) result(r)
    real(8), intent(in) :: x, w
    integer, intent(in) :: n
    calls = calls + 1
    r = int(x * 10) + n * 100 + int(w) * 1000
    if (mod(calls, 3) == 0) write (text, *) calls
  end function

  integer function mixed_again(x, n, w) result(r)
    real(8), intent(in) :: x, w
    integer, intent(in) :: n
    r = int(x - w) - n
    if (r < -5) write (text, *) r
  end function

  ! An array between scalars moves to another register.
  recursive subroutine sum_up(x, a, n, l, k, s)
    real(4), intent(in) :: x
    integer(8), intent(in) :: n
    real(8), intent(in) :: a(*)
    logical, intent(in) :: l
    integer, intent(in) :: k
    real(8), intent(inout) :: s
    if (n < 1 .or. .not. l) return
    s = s + a(n) * x + k
    call sum_up(x + 1, a, n - 1, n > k, k, s)
  end subroutine

  ! Seven arguments do not fit.
  integer function seven(a, b, c, d, e, f, g)
    integer, intent(in) :: a, b, c, d, e, f, g
    seven = a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g
  end function

  recursive integer function seventh(a, b, c, d, e, f, g) result(r)
    integer, intent(in) :: a, b, c, d, e, f, g
    if (a == 0) then
      r = b + c + d + e + f + g
    else
      r = seventh(a - 1, b + 1, c, d + a, e, f, g) + 1
    end if
  end function

  ! An absent argument has no value that could be loaded.
  recursive integer function maybe(n, k) result(r)
    integer, intent(in) :: n
    integer, intent(in), optional :: k
    if (n <= 0) then
      r = 1
      if (present(k)) r = k
    else if (present(k)) then
      r = maybe(n - 1, k + 1) + n
    else
      r = maybe(n - 1) + n
    end if
  end function

  ! One that is changed, one that a call changes.
  recursive integer function count_down(n, m) result(r)
    integer :: n, m
    r = 0
    if (n <= 0) return
    n = n - 1
    call twice(m)
    r = count_down(n, m) + m
  end function

  subroutine twice(m)
    integer :: m
    m = 2 * m
  end subroutine

  integer function apply(f, x, n, w)
    procedure(of_three) :: f
    real(8), intent(in) :: x, w
    integer, intent(in) :: n
    apply = f(x, n, w)
  end function

  recursive logical function even(n) result(r)
    integer(8), intent(in) :: n
    if (n == 0) then
      r = .true.
    else
      r = odd(n - 1)
    end if
  end function

  recursive logical function odd(n) result(r)
    integer(8), intent(in) :: n
    if (n == 0) then
      r = .false.
    else
      r = even(n - 1)
    end if
  end function

  recursive complex function turned(z, n) result(r)
    complex, intent(in) :: z
    integer, intent(in) :: n
    if (n == 0) then
      r = z
    else
      r = turned(z * (0.0, 1.0), n - 1)
    end if
  end function
end module

! Without an interface; k and n are only read, whatever the callers know.
recursive subroutine old(k, n, a)
  implicit none
  integer k, n
  real a(n)
  if (k .gt. n) return
  a(k) = a(k) + k * n
  call old(k + 1, n, a)
end subroutine

integer function main_entry(n)
  implicit none
  integer n, k, second
  main_entry = n * 2
  return
  entry second(k)
  second = k * 3
end function

program arguments
  use kinds
  implicit none
  real(8) :: x, s, a(6)
  real :: b(5)
  integer :: i, n, m, n7(7)
  integer, external :: main_entry, second
  procedure(of_three), pointer :: p
  x = 1.5d0
  n = 3
  print *, mixed(x, n, 2.25d0), mixed(2 * x, n + 1, x), mixed_again(x, 7, 3 * x)
  print *, apply(mixed, x, n, 4d0), apply(mixed_again, 9d0, n, x)
  p => mixed
  print *, p(x, 1, x), calls
  a = [(i * 1.25d0, i = 1, 6)]
  s = 0
  call sum_up(2.0, a, 6_8, .true., 2, s)
  print *, s
  n7 = [(i, i = 1, 7)]
  print *, seven(n7(1), n7(2), n7(3), n7(4), n7(5), n7(6), n7(7)), seventh(n7(4), 1, 2, 3, 4, 5, n)
  print *, maybe(3), maybe(3, 10), maybe(0), maybe(0, n)
  n = 4
  m = 1
  i = count_down(n, m)
  print *, i, n, m
  print *, even(10_8), even(7_8), odd(int(n + 3, 8))
  print *, turned((1.0, 2.0), 3)
  b = 0
  call old(2, 5, b)
  print *, b
  print *, main_entry(n + 5), second(7), second(m)
  do i = 1, 3
    n = i
    print *, mixed(a(i), n, a(i + 1)), n
  end do
end program
