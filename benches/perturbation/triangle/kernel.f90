subroutine forward(a, b, n)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: a(n, n)
  real(8), intent(inout) :: b(n)
  integer :: i, j
  do i = 1, n
    do j = 1, i - 1
      b(i) = b(i) - a(j, i) * b(j)
    end do
    b(i) = b(i) / a(i, i)
  end do
end subroutine
