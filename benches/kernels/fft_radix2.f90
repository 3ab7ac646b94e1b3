! A fast Fourier transform of 256 points
! check 2.115725722220275E+02
module kernel
  use support
  implicit none
  integer, parameter :: n = 256
  complex(8) :: x(n), x0(n), w(n / 2)
contains
  subroutine setup()
    real(8) :: t(2 * n)
    integer :: i
    call fill(t, 2 * n)
    do i = 1, n
      x0(i) = cmplx(t(i), t(n + i), 8)
    end do
    do i = 1, n / 2
      w(i) = exp(cmplx(0d0, -8 * atan(1d0) * (i - 1) / n, 8))
    end do
  end subroutine

  subroutine run()
    x = x0
    call transform(x, w, n)
  end subroutine

  real(8) function check()
    check = sum(real(x(1:9), 8)) + 3 * sum(aimag(x(2:40)))
  end function

  subroutine transform(x, w, n)
    integer :: n, i, j, k, m, half, step
    complex(8) :: x(n), w(n / 2), t
    j = 1
    do i = 1, n - 1
      if (i < j) then
        t = x(i)
        x(i) = x(j)
        x(j) = t
      end if
      m = n / 2
      do while (m < j)
        j = j - m
        m = m / 2
        if (m < 1) exit
      end do
      j = j + m
    end do
    m = 2
    do while (m <= n)
      half = m / 2
      step = n / m
      do k = 1, n, m
        do j = 0, half - 1
          t = w(j * step + 1) * x(k + j + half)
          x(k + j + half) = x(k + j) - t
          x(k + j) = x(k + j) + t
        end do
      end do
      m = m * 2
    end do
  end subroutine
end module
