! --passes=distribute at h
subroutine k1()
  implicit none
  integer :: i, j
  double precision :: a0(5, 5), a1(5), x1
  x1 = 1.0d0
  do i = 1, 5
    a1(i) = x1
    do j = 1, 5
      a0(i, j) = i
    end do
    x1 = i*2.0d0
  end do
  call show_r8(1, a0, 25)
  call show_r8(2, a1, 5)
end subroutine
