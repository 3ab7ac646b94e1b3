! Elements of allocatable arrays and components are the beginning of what follows them.
subroutine fill(a, n)
  integer :: n
  real :: a(*)
  integer :: i
  do i = 1, n
    a(i) = a(i) + i
  end do
end subroutine
subroutine more(q)
  type t
    real :: a(3)
    real, allocatable :: b(:)
  end type
  real :: q(4)
  type(t) :: one, two(2)
  real, allocatable :: x(:)
  allocate(x(4), one%b(4))
  x = 0
  one%a = 0
  one%b = 0
  two(2)%a = 0
  call fill2(x(2), 3)
  call fill2(x, 4)
  call fill2(one%a(2), 2)
  call fill2(one%b(3), 2)
  call fill2(one%b, 2)
  call fill2(two(2)%a(2), 2)
  call fill2(q, 4)
  print '(20f5.1)', x, one%a, one%b, two(2)%a, q
end subroutine
program p
  real, allocatable :: x(:), y(:,:)
  real :: z(4)
  allocate(x(6), y(3,3))
  x = 0; y = 0; z = 0
  call fill(x, 6)
  call fill(x(3), 2)
  call fill(y(2,2), 4)
  call fill(z(2), 2)
  call fill(y, 9)
  print '(20f5.1)', x, y, z
  call more(z)
end program
subroutine fill2(a, n)
  integer :: n
  real :: a(*)
  a(:n) = a(:n) + 1
end subroutine
