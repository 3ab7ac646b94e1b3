! Adjacent loops whose fusion is legal, illegal by one, and legal when shifted.
program hard_fuse_offset
  implicit none
  integer, parameter :: n = 20
  integer :: a(0:n + 1), b(0:n + 1), c(0:n + 1), i
  do i = 0, n + 1
    a(i) = i
    b(i) = 2 * i
    c(i) = 0
  end do
  ! Reads what the same iteration wrote: may be fused.
  do i = 1, n
    a(i) = a(i) + b(i)
  end do
  do i = 1, n
    c(i) = a(i) * 3
  end do
  print *, sum(a), sum(c)
  ! Reads what an earlier iteration wrote: may be fused.
  do i = 1, n
    a(i) = c(i) - i
  end do
  do i = 1, n
    b(i) = a(i - 1)
  end do
  print *, sum(b), b(1), b(n)
  ! Reads what a later iteration will write: must not be fused as it stands.
  do i = 1, n
    a(i) = b(i) + 7
  end do
  do i = 1, n
    c(i) = a(i + 1) - a(i)
  end do
  print *, sum(c), c(1), c(n)
  ! Writes over what the first loop has still to read: must not be fused.
  do i = 1, n
    b(i) = a(i + 1)
  end do
  do i = 1, n
    a(i) = -i
  end do
  print *, sum(a), sum(b), b(n - 1)
  ! Both loops write the same elements, one place apart.
  do i = 1, n
    c(i) = i
  end do
  do i = 1, n
    c(i + 1) = 100 + i
  end do
  print *, c
end program
