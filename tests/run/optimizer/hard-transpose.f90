! Matrices with rows and columns exchanged: of every size of elements, sections, three dimensions, in place
module exchange
  implicit none
contains
  subroutine copy(a, b, m, n)
    integer, intent(in) :: m, n
    integer, intent(in) :: b(n, m)
    integer, intent(out) :: a(m, n)
    integer :: i, j
    do i = 1, m
      do j = 1, n
        a(i, j) = b(j, i)
      end do
    end do
  end subroutine

  subroutine part(a, b, n)
    integer, intent(in) :: n
    real(8), intent(in) :: b(0:n, n, 2)
    real(8), intent(inout) :: a(n, 3, n)
    integer :: i, j
    do j = 2, n
      do i = 1, n - 1
        a(i, 2, j) = b(j, i + 1, 2)
      end do
    end do
  end subroutine

  subroutine itself(a, n)
    integer, intent(in) :: n
    real(4), intent(inout) :: a(n, n)
    integer :: i, j
    do j = 1, n
      do i = 1, n
        a(i, j) = a(j, i)
      end do
    end do
    a = transpose(a)
  end subroutine
end module

program main
  use exchange
  implicit none
  integer, parameter :: n = 37
  integer :: i, k, p(50, 70), q(70, 50)
  integer(1) :: b1(n, 9), c1(9, n)
  integer(2) :: b2(n, 9), c2(9, n)
  real(8) :: x(0:n, n, 2), y(n, 3, n)
  real(4) :: r(n, n)
  complex(8) :: z(20, 11), w(11, 20)
  logical :: l(n, 9), m(9, n)
  do k = 1, 2
    q = reshape([(mod(i * 7919, 1000 + k), i = 1, 3500)], [70, 50])
    p = 0
    call copy(p, q, 50, 70 / k)
    print *, sum(p), p(50, 70 / k), p(3, 20), p(50, 70)
  end do
  call copy(p, q, 0, 3)
  call copy(p, q, 3, -1)
  print *, sum(p)
  x = reshape([(i / 8d0, i = 1, 2 * n * (n + 1))], [n + 1, n, 2])
  y = -1
  call part(y, x, n)
  print *, sum(y), y(1, 2, 2), y(n - 1, 2, n), y(n, 2, n)
  r = reshape([(real(i), i = 1, n * n)], [n, n])
  call itself(r, n)
  print *, sum(r), r(1, n), r(n, 1), r(3, 8)
  b1 = reshape([(int(mod(i, 100), 1), i = 1, n * 9)], [n, 9])
  b2 = b1 * 100_2
  l = mod(b1, 3_1) == 0
  c1 = transpose(b1)
  c2(2:9, :) = transpose(b2(:, 2:9))
  c2(1, :) = 0
  m = transpose(l)
  print *, sum(int(c1)), c1(9, 20), sum(int(c2)), c2(9, 20), count(m), m(9, 4)
  z = reshape([(cmplx(i, -i, 8), i = 1, 220)], [20, 11])
  w = transpose(z)
  print *, sum(w), w(11, 19)
end program
