! --passes=dce,unroll at h
subroutine k1()
  implicit none
  integer :: l
  double precision :: a(9)
  do l = 1, 9, 2
    a(l) = 1.0d0
  end do
  if (l > 8) then
  end if
  call show_r8(1, a, 1)
end subroutine
