! Loops that copy: whole arrays and parts, of all kinds, through nests, over themselves forwards and backwards, with bounds that are known or
! not, no iteration, and the values of the loops' variables afterwards.
program copied
  implicit none
  type pair
    integer :: k(40)
    real(8) :: x
  end type
  real(8) :: a(100), b(100), m(12, 9), w(12, 9)
  real(4) :: s(100), t(100)
  complex(8) :: z(50), y(50)
  logical :: l(300), g(300)
  integer :: i, j, n
  integer(1) :: c(400), d(400)
  integer, allocatable :: p(:), q(:)
  type(pair) :: u(3), v(3)
  real(8), target :: r(100)
  real(8), pointer :: f(:), h(:)
  do i = 1, 100
    b(i) = i * 0.5d0
    t(i) = i * 0.25
    r(i) = i
  end do
  do i = 1, 100
    a(i) = b(i)
    s(i) = t(i)
  end do
  print *, sum(a), sum(s), i
  do i = 1, 50
    y(i) = cmplx(i, -i, 8)
  end do
  do i = 1, 50
    z(i) = y(i)
  end do
  print *, sum(z)
  do i = 1, 300
    g(i) = mod(i, 3) == 0
  end do
  do i = 1, 300
    l(i) = g(i)
  end do
  print *, count(l), i
  do i = 1, 400
    d(i) = int(mod(i, 100), 1)
  end do
  do i = 3, 398
    c(i) = d(i + 2)
  end do
  print *, c(3), c(398), sum(int(c(3:398)))
  do j = 1, 9
    do i = 1, 12
      w(i, j) = i + 100 * j
    end do
  end do
  do j = 1, 9
    do i = 1, 12
      m(i, j) = w(i, j)
    end do
  end do
  print *, sum(m), m(12, 9), i, j
  m = 0
  do j = 2, 8
    do i = 1, 12
      m(i, j + 1) = w(i, j - 1)
    end do
  end do
  print *, sum(m), m(1, 3), m(12, 9)
  m = w
  do j = 1, 9
    do i = 1, 11
      m(i, j) = w(i + 1, j)
    end do
  end do
  print *, sum(m), m(11, 9), m(12, 9)
  do i = 2, 100
    a(i) = a(i - 1)
  end do
  print *, sum(a)
  a = b
  do i = 1, 99
    a(i) = a(i + 1)
  end do
  print *, sum(a)
  a = b
  do i = 51, 100
    a(i) = a(i - 50)
  end do
  print *, sum(a)
  allocate (p(200), q(0:199))
  do i = 0, 199
    q(i) = i * i
  end do
  do i = 1, 200
    p(i) = q(i - 1)
  end do
  print *, sum(p)
  do i = 1, 3
    v(i)%x = i
    do j = 1, 40
      v(i)%k(j) = i * j
    end do
  end do
  do i = 1, 3
    do j = 1, 40
      u(i)%k(j) = v(i)%k(j)
    end do
  end do
  print *, u(1)%k(40), u(2)%k(39), u(3)%k(1)
  f => r(1:90)
  h => r(11:100)
  do i = 1, 90
    h(i) = f(i)
  end do
  print *, sum(r)
  do n = -1, 99, 50
    call some(a, b, n)
  end do
  call apart(r, r(41), 40)
contains
  subroutine some(x, y, n)
    integer :: n, i
    real(8) :: x(n), y(*)
    do i = 1, n
      x(i) = y(i)
    end do
    print *, n, i, a(1)
  end subroutine

  subroutine apart(x, y, n)
    integer :: n
    real(8) :: x(n), y(n)
    x(1:n) = y(1:n)
    print *, sum(x), sum(y)
  end subroutine
end program
! aliases: the host's array is read while an argument is written.
