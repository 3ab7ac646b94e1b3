! --passes=dce at m
subroutine k1()
  implicit none
  integer :: i, j, k, a(9)
  do i = 1, 9
    a(i) = i + 2
  end do
  k = a(3)
  j = 0
  do i = 1, k
    j = j + 1
  end do
end subroutine
