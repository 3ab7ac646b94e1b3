! Bounds and lengths of results and dummy arguments in terms of other arguments, with the bounds that the interface
! declares, in whatever order they are declared; procedures among them.
module forms
  implicit none
contains
  function inner(a) result(r)
    integer, intent(in) :: a(0:)
    integer :: r(ubound(a, 1))
    r = a(:ubound(a, 1) - 1)
  end function inner

  function tail(a) result(r)
    integer, intent(in) :: a(10:)
    character(a(11)) :: r
    r = repeat('*', a(10)) // repeat('+', 20)
  end function tail

  function both(s, t) result(r)
    character(*), intent(in) :: s
    character(len(s) - 2), intent(in) :: t
    character(len(s) + len(t)) :: r
    r = s // t
  end function both

  character(2 * n) function lines(n) result(r)
    integer, intent(in) :: n
    dimension r(modulo(len(r) - 1, 3) + 1)
    integer :: k
    do k = 1, size(r)
      r(k) = repeat(achar(64 + k), len(r))
    end do
  end function lines

  pure integer function extent(a)
    integer, intent(in) :: a(:)
    extent = size(a)
  end function extent

  function through(y, f) result(r)
    integer, intent(in) :: y(:)
    interface
      pure integer function f(c)
        integer, intent(in) :: c(:)
      end function f
    end interface
    character(f(y)) :: r
    integer :: k
    do k = 1, f(y)
      r(k:k) = achar(iachar('A') + y(k))
    end do
  end function through

  subroutine early(a, b, n)
    integer, intent(in) :: b(0:), n
    integer, intent(in) :: a(size(b) * n)
    integer :: w(ubound(b, 1))
    w = b(1:)
    print *, size(a), a(size(a)), size(w), w
  end subroutine early
end module forms

program main
  use forms
  implicit none
  integer :: k, a(5) = [1, 2, 3, 4, 5], h(100:104)
  integer, allocatable :: c(:)
  h = [3, 7, 1, 9, 2]
  allocate(c(-2:1))
  c = [2, 5, 6, 7]
  print *, inner(a), inner(a(2:4)), inner([7, 8, 9]), inner(h), inner(c)
  print *, tail(h), '|', tail(c), '|', tail(a(4:1:-1)), '|'
  print *, both('abcdef', 'uvwxyz'), '|', len(both('abc', 'uvwxyz'))
  print *, lines(4), size(lines(2)), len(lines(6))
  print *, through(a, extent), through(a(2:3), extent), len(through(h(101:103), extent))
  call early([(k, k = 1, 9)], a(1:3), 2)
end program main
