! --passes=transpose at h
subroutine k1()
  implicit none
  integer :: i, j
  double precision :: c(12, 12)
  do j = 1, 12
    do i = 1, 12
      c(i, j) = i + 100 * j
    end do
  end do
  do i = 1, 12
    do j = 1, 12
      c(i, j) = c(j, i)
    end do
  end do
  call show_r8(1, c, 144)
end subroutine
