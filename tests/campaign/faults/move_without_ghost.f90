! --passes=dce,licm at h
subroutine k1()
  implicit none
  integer :: i, j, i1, i2
  double precision :: a0(3), x1
  i1 = 2
  x1 = i1
  call put_r8(1, x1)
  do i = 1, 3
    do j = 1, i1
      i2 = j
    end do
    i1 = 4
    a0(i) = i1
  end do
  call show_r8(2, a0, 3)
end subroutine
