! --passes=interchange at m
subroutine k55()
  implicit none
end subroutine
subroutine p55_1(d0)
  implicit none
  integer :: i, j
  double precision :: d0(-1:8, 8)
  do i = 1, 1
    do j = 1, 1
      d0(1, j) = 1.0d0
    end do
  end do
end subroutine
