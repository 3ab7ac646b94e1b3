subroutine factor(a, pivot, n)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: a(n, n)
  integer, intent(out) :: pivot(n)
  integer :: i, j, k, p
  real(8) :: t
  do k = 1, n
    p = k
    do i = k + 1, n
      if (abs(a(i, k)) > abs(a(p, k))) p = i
    end do
    pivot(k) = p
    if (p /= k) then
      do j = 1, n
        t = a(k, j)
        a(k, j) = a(p, j)
        a(p, j) = t
      end do
    end if
    do i = k + 1, n
      a(i, k) = a(i, k) / a(k, k)
    end do
    do j = k + 1, n
      do i = k + 1, n
        a(i, j) = a(i, j) - a(i, k) * a(k, j)
      end do
    end do
  end do
end subroutine

subroutine solve(a, pivot, b, n)
  implicit none
  integer, intent(in) :: n, pivot(n)
  real(8), intent(in) :: a(n, n)
  real(8), intent(inout) :: b(n)
  integer :: i, k
  real(8) :: t
  do k = 1, n
    t = b(pivot(k))
    b(pivot(k)) = b(k)
    b(k) = t
    do i = k + 1, n
      b(i) = b(i) - a(i, k) * t
    end do
  end do
  do k = n, 1, -1
    b(k) = b(k) / a(k, k)
    do i = 1, k - 1
      b(i) = b(i) - a(i, k) * b(k)
    end do
  end do
end subroutine
