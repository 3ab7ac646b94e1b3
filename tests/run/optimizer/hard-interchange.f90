! Nests that may be interchanged and nests that may not, side by side.
program hard_interchange
  implicit none
  integer, parameter :: n = 9
  integer :: a(0:n + 1, 0:n + 1), i, j
  call fill(a)
  do i = 1, n                 ! distances (0,1): legal
    do j = 1, n
      a(i, j) = a(i, j - 1) + i
    end do
  end do
  call check('left', a)
  do i = 1, n                 ! distances (1,-1): illegal
    do j = 1, n
      a(i, j) = a(i - 1, j + 1) * 2 - j
    end do
  end do
  call check('diagonal', a)
  do i = 1, n                 ! distances (1,1): legal
    do j = 1, n
      a(i, j) = a(i - 1, j - 1) - a(i, j)
    end do
  end do
  call check('main', a)
  do i = 1, n                 ! anti-dependence (1,-1): illegal
    do j = 1, n
      a(i, j) = mod(a(i + 1, j - 1), 50) + j
    end do
  end do
  call check('anti', a)
  do i = n, 1, -1             ! reversed outer loop
    do j = 1, n
      a(i, j) = mod(a(i + 1, j) + a(i, j - 1), 100)
    end do
  end do
  call check('reversed', a)
contains
  subroutine fill(m)
    integer, intent(out) :: m(0:n + 1, 0:n + 1)
    integer :: i, j
    do j = 0, n + 1
      do i = 0, n + 1
        m(i, j) = mod(7 * i + 3 * j, 11)
      end do
    end do
  end subroutine fill
  subroutine check(name, m)
    character(len=*), intent(in) :: name
    integer, intent(in) :: m(0:n + 1, 0:n + 1)
    integer :: i, j, s
    s = 0
    do j = 0, n + 1
      do i = 0, n + 1
        s = mod(s * 31 + m(i, j), 1000003)
      end do
    end do
    print *, name, s
  end subroutine check
end program
