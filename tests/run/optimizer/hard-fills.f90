! Arrays and sections set to one value, of every type, also several in a loop, and loops that only look like it
module blocks
  implicit none
  integer, parameter :: n = 70
  real(8) :: a(n, n), b(n), c(n)
  real(4) :: x(n * 3)
  complex(8) :: z(n)
  complex(4) :: y(n)
  logical :: l(n * 4)
  logical(1) :: short(n * 8)
  integer(1) :: i1(n * 8)
  integer(2) :: i2(n * 8)
  integer(8) :: i8(n)
contains
  subroutine set(array, rows, columns, value)
    integer, intent(in) :: rows, columns
    real(8), intent(out) :: array(rows, columns)
    real(8), intent(in) :: value
    integer :: i, j
    do j = 1, columns
      do i = 1, rows
        array(i, j) = value
      end do
    end do
  end subroutine

  subroutine several(m, value)
    integer, intent(in) :: m, value
    integer :: i
    do i = 1, m
      b(i) = value
      i8(i) = value
      c(i) = b(i)
    end do
  end subroutine

  subroutine alike(m)
    integer, intent(in) :: m
    integer :: i
    do i = 1, m
      b(i) = i
    end do
    do i = 1, m, 2
      c(i) = -1
    end do
    do i = 1, m - 1
      b(i) = b(i + 1)
      b(i + 1) = 0.5d0
    end do
  end subroutine
end module

program fills
  use blocks
  implicit none
  real(8) :: zero
  zero = 0
  call set(a, n, n, 2.5d0)
  print *, sum(a) == 2.5d0 * n * n, a(1, 1), a(n, n)
  call set(a, 10, 20, -0.0d0)
  print *, sign(1d0, a(1, 1)), sign(1d0, a(60, 3)), a(61, 3), count(a == 2.5d0)
  call set(a, 0, 20, 7d0)
  call set(a, 20, -3, 7d0)
  print *, maxval(a)
  a(5:50, 3) = 9
  a(:, 10:12) = -zero
  print *, count(a == 9), count(a == 0), sign(1d0, a(7, 11))
  x = -1.25
  z = (1d0, 1d0)
  y = (1.0, 2.0)
  l = .true.
  short = .true.
  i1 = -3_1
  i2 = 300_2
  print *, sum(x), sum(z), sum(y), count(l), count(short), sum(int(i1)), sum(int(i2))
  z = (0d0, 0d0)
  y = 0
  l(3:n) = .false.
  short = .false.
  i1(2:n) = 0
  i2 = 257_2
  print *, sum(x), sum(z), sum(y), count(l), count(short), sum(int(i1)), sum(int(i2))
  c = 0
  call several(n, 3)
  call several(40, -8)
  call several(0, 3)
  print *, sum(b), sum(c), sum(i8)
  call alike(n)
  print *, sum(b), sum(c), b(n - 1), b(n)
end program
