! Each line after the declarations has one mistake.
subroutine errors(n, m)
  implicit none
  integer, intent(in) :: n
  integer :: m, a(3), b(4), i
  real :: x
  character(4) :: c
  logical :: l
  n = 1
  a = b
  x = 'text'
  l = x + l
  c = a(1, 2)
  if (m) x = 1
  goto 99
  exit
  do i = 1, 3
    i = 2
  end do
  call two(1)
  x = sqrt(m)
  x = 1 / 0
contains
  subroutine two(p, q)
    integer :: p, q
    p = q
  end subroutine
end subroutine
