subroutine transform(x, n, signum)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: signum
  complex(8), intent(inout) :: x(n)
  complex(8) :: t, w, v
  integer :: i, j, k, m, step
  j = 1
  do i = 1, n
    if (j > i) then
      t = x(i)
      x(i) = x(j)
      x(j) = t
    end if
    m = n / 2
    do while (m >= 1)
      if (j <= m) exit
      j = j - m
      m = m / 2
    end do
    j = j + m
  end do
  step = 1
  do while (step < n)
    w = exp(cmplx(0d0, signum * 3.14159265358979323846d0 / step, 8))
    v = (1d0, 0d0)
    do k = 1, step
      do i = k, n, 2 * step
        t = v * x(i + step)
        x(i + step) = x(i) - t
        x(i) = x(i) + t
      end do
      v = v * w
    end do
    step = 2 * step
  end do
end subroutine
