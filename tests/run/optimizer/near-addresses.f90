! Loads and stores at many distances from one pointer: ahead of it, behind it, near and far, of several sizes.
program near_addresses
  implicit none
  integer, parameter :: n = 300
  real(8) :: a(n, n), b(n, n)
  real(4) :: f(n, n)
  complex(8) :: z(n, 40), w(n, 40)
  integer(1) :: c(n, n)
  integer(2) :: h(n, n)
  integer :: i, j
  do j = 1, n
    do i = 1, n
      a(i, j) = mod(i*7 + j*3, 11)
      f(i, j) = mod(i + 2*j, 5)
      c(i, j) = int(mod(i*j, 100), 1)
      h(i, j) = int(mod(i*j, 1000), 2)
    end do
  end do
  do j = 1, 40
    do i = 1, n
      z(i, j) = cmplx(mod(i, 7), mod(j, 5), 8)
    end do
  end do
  b = 0
  call nine(a, b)
  print '(3f14.2)', sum(b), b(2, 2), b(n - 1, n - 1)
  call far(a, b, n)
  print '(3f14.2)', sum(b), b(5, 5), b(n - 4, n - 4)
  call backwards(a, b)
  print '(3f14.2)', sum(b), b(3, 3), b(n, n)
  call singles(f)
  print '(2f14.2)', sum(real(f, 8)), f(17, 17)
  call bytes(c, h)
  print '(3i10)', sum(int(c)), sum(int(h)), h(9, 9)
  w = 0
  call complexes(z, w)
  print '(4f12.2)', sum(w), w(7, 7)
  print '(f14.2)', left(a, 7)
  call column(a, 5)
  print '(2f20.6)', sum(a), a(n, n)
contains
  subroutine nine(x, y)
    real(8) :: x(n, n), y(n, n)
    do j = 2, n - 1
      do i = 2, n - 1
        y(i, j) = x(i-1, j-1) + 2*x(i, j-1) + 3*x(i+1, j-1) + 4*x(i-1, j) + 5*x(i, j) + 6*x(i+1, j) + 7*x(i-1, j+1) &
          + 8*x(i, j+1) + 9*x(i+1, j+1)
      end do
    end do
  end subroutine
  subroutine far(x, y, m)
    integer :: m
    real(8) :: x(n, *), y(n, *)
    do j = 5, m - 4
      do i = 5, m - 4
        y(i, j) = x(i-4, j-4) - x(i+4, j-3) + x(i, j-2) - x(i, j-1) + x(i-1, j) - x(i+1, j) + x(i, j+1) - x(i, j+2) &
          + x(i-4, j+3) - x(i+4, j+4) + y(i, j)
      end do
    end do
  end subroutine
  subroutine backwards(x, y)
    real(8) :: x(n, n), y(n, n)
    do j = n, 3, -1
      do i = n, 3, -2
        y(i, j) = y(i-1, j-1) + x(i-2, j-2)*0.5d0
        x(i-1, j-2) = y(i, j) - x(i, j)
      end do
    end do
  end subroutine
  subroutine singles(x)
    real(4) :: x(n, n)
    do j = 2, n - 1
      do i = 3, n - 2
        x(i, j) = (x(i-2, j-1) + x(i+2, j-1) + x(i-2, j+1) + x(i+2, j+1))*0.25
      end do
    end do
  end subroutine
  subroutine bytes(x, y)
    integer(1) :: x(n, n)
    integer(2) :: y(n, n)
    do j = 2, n - 1
      do i = 2, n - 1
        y(i, j) = int(mod(x(i-1, j-1) + x(i+1, j+1) + y(i, j-1) - y(i-1, j), 1000), 2)
        x(i, j) = int(iand(int(y(i, j)), 63), 1)
      end do
    end do
  end subroutine
  subroutine complexes(x, y)
    complex(8) :: x(n, 40), y(n, 40)
    do j = 2, 39
      do i = 2, n - 1
        y(i, j) = x(i-1, j-1) + x(i+1, j+1)*2 - x(i-1, j+1) - conjg(x(i+1, j-1))
      end do
    end do
  end subroutine
  ! The pointer is read by more than addresses, and a loop ends early.
  real(8) function left(x, k)
    real(8) :: x(n, n)
    integer :: k
    left = 0
    do j = 4, n
      do i = 3, n
        if (x(i-2, j-3) + x(i, j) > 19d0) exit
        left = left + x(i-1, j-1)*k
      end do
      left = left + i
    end do
  end function
  ! An element of the same array that stays the same: it is loaded again after each store.
  subroutine column(x, m)
    real(8) :: x(n, n)
    integer :: m, k
    do j = 1, m
      do k = 1, j
        do i = 1, n
          x(i, n - j + 1) = x(i, n - j + 1) - x(i, k)*x(n - j + 1, k)*1d-3
        end do
      end do
    end do
  end subroutine
end program
