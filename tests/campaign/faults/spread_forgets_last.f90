! --passes= at l, discharged
subroutine k1()
  implicit none
  integer :: i, j
  double precision :: x
  do i = 1, 6
    do j = 1, i
      x = x + 1d0
    end do
  end do
end subroutine
