! --passes=interchange at l, discharged
subroutine k304()
  implicit none
  integer :: a0(-3:13), ix(8), j, k
  do j = 1, 1
    do k = 2, 1
      a0(1) = ix(k)
    end do
  end do
  call put_i4(23, j)
end subroutine
