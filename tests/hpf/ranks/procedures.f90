! Dummies that are prescribed, described, inherited, of assumed shape and size, elements as arguments, functions.
program procedures
  integer, parameter :: n = 10
  real :: a(n), b(n), s
!HPF$ DISTRIBUTE a(BLOCK)
!HPF$ DISTRIBUTE b(CYCLIC)
  interface
    subroutine shaped(x)
      real :: x(:)
!HPF$ DISTRIBUTE x(BLOCK)
    end subroutine
  end interface
  real, external :: total
  integer :: i
  do i = 1, n
    a(i) = i
    b(i) = 100 + i
  end do
  call prescribed(a, b, n)
  call described(a, n)
  call inherited(b, n)
  call unmapped(b(3), n - 2)
  call shaped(a(2:8:2))
  call shaped(b)
  call scalar(a(4))
  s = total(a, n) + total(b(5), 3)
  a(1) = total(b, n)
  print '(10f9.1)', a, b, s
end program

subroutine prescribed(x, y, n)
  integer :: n, i
  real :: x(n), y(n)
!HPF$ DISTRIBUTE x(CYCLIC(2))
!HPF$ ALIGN y(i) WITH x(i)
  do i = 2, n
    x(i) = x(i - 1) + y(i)
    y(i) = x(i) - y(i - 1)
  end do
end subroutine

subroutine described(x, n)
  integer :: n, i
  real :: x(n)
!HPF$ DISTRIBUTE x *(BLOCK)
  do i = 1, n
    if (x(i) > 500) return
    x(i) = -x(i)
  end do
end subroutine

subroutine inherited(x, n)
  integer :: n, i
  real :: x(n)
!HPF$ INHERIT x
  do i = 1, n
    x(i) = x(i) + 0.5
  end do
end subroutine

subroutine unmapped(x, n)
  integer :: n, i
  real :: x(*)
  do i = 1, n
    x(i) = x(i) * 2
  end do
end subroutine

subroutine shaped(x)
  real :: x(:)
!HPF$ DISTRIBUTE x(BLOCK)
  integer :: i
  do i = 2, size(x)
    x(i) = x(i) + x(i - 1)
  end do
end subroutine

subroutine scalar(x)
  real :: x
  x = x + 1000
end subroutine

real function total(x, n)
  integer :: n, i
  real :: x(n)
!HPF$ DISTRIBUTE x(CYCLIC)
  total = 0
  do i = 1, n
    total = total + x(i)
    x(i) = x(i) + 1
  end do
end function
