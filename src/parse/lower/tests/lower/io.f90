! Specifiers, items, implied DO, branches.
subroutine io(a, u)
  integer :: u, n, ios, i
  real :: a(3, 4)
  read (u, *, end=90, iostat=ios) n, (a(i, 2), i = 1, n)
  write (u, 100) n, a(:, 1), a(2, ::2), a + 1
  100 format (i5, f8.2)
  90 continue
end subroutine
