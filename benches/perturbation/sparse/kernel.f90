subroutine multiply(first, column, value, x, y, n)
  implicit none
  integer, intent(in) :: n, first(n + 1), column(*)
  real(8), intent(in) :: value(*), x(n)
  real(8), intent(out) :: y(n)
  real(8) :: s
  integer :: i, k
  do i = 1, n
    s = 0d0
    do k = first(i), first(i + 1) - 1
      s = s + value(k) * x(column(k))
    end do
    y(i) = s
  end do
end subroutine
