! Arguments are passed by reference: elements, whole arrays, expressions copied.
! not checked: the copies of expressions are changed.
program proc_by_reference
  implicit none
  integer :: a(4), n
  a = (/ 1, 2, 3, 4 /)
  n = 5
  call add_one(n)
  call add_one(a(3))
  call add_one((n))
  call add_one(n + 0)
  print *, n, a
  call add_all(a, 4)
  print *, a
  call add_all(a(2), 2)
  print *, a
  call swap(a(1), a(4))
  print *, a
end program
subroutine add_one(k)
  integer :: k
  k = k + 1
end subroutine
subroutine add_all(v, n)
  integer :: n, v(n)
  integer :: i
  do i = 1, n
    v(i) = v(i) + 10
  end do
end subroutine
subroutine swap(x, y)
  integer :: x, y, t
  t = x
  x = y
  y = t
end subroutine
