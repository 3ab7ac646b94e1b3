subroutine product3(a, b, c)
  implicit none
  real(8), intent(in) :: a(3, 3), b(3, 3)
  real(8), intent(out) :: c(3, 3)
  integer :: i, j, k
  do j = 1, 3
    do i = 1, 3
      c(i, j) = 0d0
      do k = 1, 3
        c(i, j) = c(i, j) + a(i, k) * b(k, j)
      end do
    end do
  end do
end subroutine

subroutine scaled(a, n, most)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: a(n, n)
  real(8), intent(in) :: most
  integer :: i, j
  real(8) :: s
  s = 0d0
  do j = 1, n
    do i = 1, n
      s = max(s, abs(a(i, j)))
    end do
  end do
  if (s > most) a = a / s
end subroutine
