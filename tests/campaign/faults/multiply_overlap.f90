! --passes=multiply at h
subroutine k1()
  implicit none
  integer :: i, j, k
  double precision :: b(12, 12), c(12, 12)
  do j = 1, 12
    do i = 1, 12
      b(i, j) = i - j
      c(i, j) = i + 2 * j
    end do
  end do
  do k = 1, 12
    do i = 1, 12
      do j = 1, 12
        c(i, j) = c(i, j) + c(i, k) * b(k, j)
      end do
    end do
  end do
  call show_r8(1, c, 144)
end subroutine
