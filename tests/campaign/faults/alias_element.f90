! --passes=cse at l
subroutine k110()
  implicit none
  integer :: i
  double precision :: a2(-1:14), x1
  common /c110/ a2
  do i = 1, 1
    x1 = a2(i - 2)
    a2(i - 2) = x1 + 1.0d0
    a2(1) = a2(i - 2)
  end do
  call show_r8(10, a2, 16)
end subroutine
