! EOSHIFT straight into another array, into itself, along both dimensions, with and without a boundary
module shifts
  implicit none
  integer, parameter :: n = 40
  real(8) :: a(n, n), b(n, n), v(n), w(n)
  integer :: k(n), l(n)
contains
  subroutine shift(by)
    integer, intent(in) :: by
    b = eoshift(a, by)
    print '(i4, 3f12.2)', by, sum(b), b(1, 2), b(n, n)
    b = eoshift(a, by, dim=2)
    print '(i4, 3f12.2)', by, sum(b), b(1, 2), b(n, n)
    b = eoshift(a, by, boundary=v, dim=2)
    print '(i4, 3f12.2)', by, sum(b), b(1, 2), b(n, n)
    w = eoshift(v, by, -1d0)
    print '(i4, 3f12.2)', by, sum(w), w(1), w(n)
    l(2:n:2) = eoshift(k(1:n:2), by, 7)
    print '(i4, 3i8)', by, sum(l), l(2), l(n)
    v = eoshift(v, by)
    print '(i4, 3f12.2)', by, sum(v), v(1), v(n)
    b = eoshift(a, k / 10 - by, -v)
    print '(i4, 3f12.2)', by, sum(b), b(1, 2), b(n, n)
  end subroutine
end module

program main
  use shifts
  implicit none
  integer :: i
  integer, parameter :: by(9) = [0, 1, -1, 3, -7, 39, -39, 40, -100]
  l = 0
  do i = 1, 9
    a = reshape([(mod(n * n - 11 * i, 97) + i / 4d0, i = 1, n * n)], [n, n])
    v = [(i / 8d0, i = 1, n)]
    k = [(i, i = 1, n)]
    call shift(by(i))
  end do
end program
