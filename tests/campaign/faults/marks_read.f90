! --passes=distribute at h
subroutine k1()
  implicit none
  integer :: i
  integer(1) :: m(20)
  double precision :: b(20)
  do i = 1, 20
    m(i) = 0_1
  end do
  do i = 1, 20
    b(i) = m(i)
    m(i) = 1_1
  end do
  call show_r8(1, b, 20)
end subroutine
