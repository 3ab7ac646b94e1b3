! Comparisons of vectors, of which one operand is in memory and nothing else uses it, at addresses that are no multiples of 16.
program compared_unaligned
  implicit none
  real(8) :: a(41), b(41), u
  real :: c(41), d(41), v
  integer :: i
  do i = 1, 41
    a(i) = mod(i * 7, 11)
    c(i) = mod(i * 5, 13)
  end do
  u = 4.5d0
  v = 6.5
  b = 0
  d = 0
  call eight(a(2), b, 38, u)
  call four(c(2), d, 38, v)
  print '(19f4.0)', b(:38), d(:38)
contains
  subroutine eight(x, y, n, u)
    integer :: n, i
    real(8) :: x(n), y(n), u
    do i = 1, n
      y(i) = merge(1.0d0, 3.0d0, x(i) > u)
    end do
  end subroutine
  subroutine four(x, y, n, u)
    integer :: n, i
    real :: x(n), y(n), u
    do i = 1, n
      y(i) = merge(1.0, 3.0, x(i) > u)
    end do
  end subroutine
end program
