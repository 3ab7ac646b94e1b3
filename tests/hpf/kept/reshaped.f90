! The COMMON block with another shape.
subroutine reshaped
  implicit none
  real(8) :: c(8, 10), t
  common /field/ c, t
!HPF$ DISTRIBUTE c(*, BLOCK)
  integer :: i, j
  do j = 2, 10
    do i = 1, 8
      c(i, j) = c(i, j) + c(9 - i, 11 - j) / 8
    end do
  end do
  call owners
  t = t + 1
  do j = 1, 9
    do i = 1, 8
      c(i, j) = c(i, j) - c(i, j + 1) / 4
    end do
  end do
end subroutine
