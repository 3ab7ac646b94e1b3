! --passes=interchange at m
subroutine k55()
  implicit none
  double precision :: a1(15), a2(-1:8, 8)
  common /c55/ a1, a2
  call p55_1(a2)
end subroutine
subroutine p55_1(d0)
  implicit none
  integer :: i, j
  double precision :: d0(-1:8, 8)
  do i = 1, 1
    do j = 1, 2
      d0(1, j) = 1.0d0
    end do
  end do
end subroutine
