! --passes=unswitch at h
subroutine k1()
  implicit none
  integer :: i
  double precision :: cs, a0(4)
  common /c1/ cs
  cs = 1.0d0
  do i = 1, 4
    if (cs > 0.5d0) then
      a0(i) = 1.0d0
    else
      a0(i) = 2.0d0
    end if
    cs = 0.0d0
  end do
  call show_r8(1, a0, 4)
end subroutine
