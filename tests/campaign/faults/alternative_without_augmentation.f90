! --passes=unswitch at h
subroutine k1()
  implicit none
  integer :: n1, n2, n3, n4, n5, n6
  common /opaque/ n1, n2, n3, n4, n5, n6
  integer :: i
  double precision :: a0(4)
  do i = 1, 4
    if (n1 > 7) then
      a0(i) = 1.0d0
    else
      a0(i) = 2.0d0
    end if
  end do
  call show_r8(1, a0, 4)
end subroutine
