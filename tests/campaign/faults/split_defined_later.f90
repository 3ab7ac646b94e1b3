! --passes=dce,distribute at l, discharged
subroutine k1288420()
  implicit none
  integer :: i1, j, k, l
  double precision :: a3(-1:10), a4(-1:6, 7)
  do j = 1, 6
    do k = 3, 1
      a4(1, 1) = a4(k, 1)
    end do
    i1 = 3
    do k = 1, 1
      do l = 1, i1
      end do
      a3(1) = a3(1)
      i1 = 1
    end do
  end do
end subroutine
