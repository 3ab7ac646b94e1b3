! The COMMON block without directives: its first values, its members, and two names.
block data
  real(8) :: a(40), b(40), s
  common /field/ a, b, s
  data a /40*1d0/, b /20*2d0, 20*3d0/, s /0d0/
end block data

subroutine plain(r)
  implicit none
  real(8) :: a(40), b(40), s, r
  common /field/ a, b, s
  integer :: i
  r = s
  do i = 1, 40
    r = r + a(i) * i
    b(i) = b(i) / 2
  end do
  call owners
  do i = 1, 40
    r = r + b(i)
  end do
end subroutine

subroutine equivalenced
  implicit none
  real(8) :: a(40), b(40), s, x(81)
  common /field/ a, b, s
  equivalence (a, x)
  integer :: i
  do i = 1, 80
    x(i) = x(i) / 3 + i
  end do
  call owners
  x(1) = x(80) + x(40)
end subroutine
