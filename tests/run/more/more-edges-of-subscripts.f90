! Subscripts, sections and substrings that just stay within bounds, or that select nothing and may be anywhere.
program edges
  implicit none
  integer :: a(-3:3), b(2, 2, 2, 2, 2, 2, 2), i, j, n, v(0)
  real :: m(4, 4)
  character(len=5) :: s = 'abcde'
  real, allocatable :: c(:)
  real, pointer :: p(:)
  real, target :: t(6)
  a = [(i, i = -3, 3)]
  b = 1
  n = 2
  print *, a(-3), a(3), a(-3:3:3), a(3:-3:-2)
  b(n, n, n, n, n, n, n) = 7
  print *, sum(b)
  print *, size(a(9:8)), size(a(-20:-30)), size(a(40:50:-1)), size(a(v))
  print *, size(a(-3:4:4)), a(-3:6:5)
  m = 0
  do j = 1, 4
    do i = 1, j - 1
      m(i, j) = m(i, j - 1) + i
    end do
  end do
  print '(4f5.1)', m
  print *, '[', s(6:5), ']', '[', s(9:2), ']', s(5:5), s(1:5)
  do i = 1, 6
    print *, len(s(i:5)), s(i:min(i, 5))
  end do
  allocate (c(0))
  c(1:0) = 3
  print *, sum(c), size(c(5:2))
  t = [(real(i), i = 1, 6)]
  p(-1:) => t(1:6:2)
  print *, p(-1), p(1), lbound(p), ubound(p)
  i = 8
  do while (i <= 3 .and. i >= -3)
    i = a(i)
  end do
  where (a(0:3) > 1) a(-3:0) = 9
  print *, a
  call last(t, 6)
contains
  subroutine last(x, n)
    integer, intent(in) :: n
    real, intent(inout) :: x(*)
    x(n) = x(n - 1) + x(1)
    print *, x(1:n)
    call nothing(x(n), 0)
  end subroutine
  subroutine nothing(x, n)
    integer, intent(in) :: n
    real, intent(inout) :: x(n)
    x = 0
    print *, size(x)
  end subroutine
end program
