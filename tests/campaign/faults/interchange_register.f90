! --passes=interchange at h
subroutine k1()
  implicit none
  integer :: i, j
  double precision :: a0(5, 5), x1
  call fill_r8(a0, 25, 3)
  x1 = 1.0d0
  do i = 1, 5
    do j = 1, 5
      x1 = x1*0.5d0 + a0(i, j)
      a0(i, j) = x1
    end do
  end do
  call show_r8(1, a0, 25)
end subroutine
