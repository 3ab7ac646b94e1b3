program right
  implicit none
  integer :: n, k, i, m, p, q
  integer, allocatable :: a(:)
  real :: x(3)
  do i = 1, 3
    if (i > 1) then
      k = n + 1
    else
      n = 5
    end if
    if (i == 2) cycle
    m = i
  end do
  print *, k, m
  p = 0
10 continue
  p = p + 1
  if (p > 1) then
    print *, q
  end if
  q = p
  if (p < 3) goto 10
  do i = 1, 3
    if (allocated(a)) deallocate (a)
    allocate (a(i))
    call fill(a)
    print *, a
    deallocate (a)
    allocate (a(i + 1))
    a(1) = i
    a(2:) = 0
    print *, a
  end do
  outer: do i = 1, 2
    if (i == 2) then
      x(2) = x(1)
      exit outer
    end if
    x(1) = 4
  end do outer
  print *, x(1:2)
  select case (m)
  case (3)
    n = 1
  case default
    stop 1
  end select
  print *, n
contains
  subroutine fill(v)
    integer :: v(:)
    v = 7
  end subroutine
end program
