subroutine matvec_sub(a, x, y)
  implicit none
  real(8), intent(in) :: a(5, 5), x(5)
  real(8), intent(inout) :: y(5)
  integer :: i, j
  do i = 1, 5
    do j = 1, 5
      y(i) = y(i) - a(i, j) * x(j)
    end do
  end do
end subroutine

subroutine matmul_sub(a, b, c)
  implicit none
  real(8), intent(in) :: a(5, 5), b(5, 5)
  real(8), intent(inout) :: c(5, 5)
  integer :: i, j, k
  do j = 1, 5
    do i = 1, 5
      do k = 1, 5
        c(i, j) = c(i, j) - a(i, k) * b(k, j)
      end do
    end do
  end do
end subroutine

subroutine binvcrhs(l, c, r)
  implicit none
  real(8), intent(inout) :: l(5, 5), c(5, 5), r(5)
  real(8) :: pivot, coeff
  integer :: p, i, j
  do p = 1, 5
    pivot = 1d0 / l(p, p)
    do j = p + 1, 5
      l(p, j) = l(p, j) * pivot
    end do
    do j = 1, 5
      c(p, j) = c(p, j) * pivot
    end do
    r(p) = r(p) * pivot
    do i = 1, 5
      if (i == p) cycle
      coeff = l(i, p)
      do j = p + 1, 5
        l(i, j) = l(i, j) - coeff * l(p, j)
      end do
      do j = 1, 5
        c(i, j) = c(i, j) - coeff * c(p, j)
      end do
      r(i) = r(i) - coeff * r(p)
    end do
  end do
end subroutine
