! --passes=peel at h
subroutine k1()
  implicit none
  integer :: n1, n2, n3, n4, n5, n6
  common /opaque/ n1, n2, n3, n4, n5, n6
  integer :: i
  double precision :: a0(2)
  call fill_r8(a0, 2, 3)
  do i = 1, n1
    if (i == 1) then
      a0(1) = 5.0d0
    else
      a0(2) = 6.0d0
    end if
  end do
  call show_r8(1, a0, 2)
end subroutine
