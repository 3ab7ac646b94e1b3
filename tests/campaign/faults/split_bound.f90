! --passes=split at h
subroutine k1()
  implicit none
  integer :: i
  double precision :: a(12)
  do i = 1, 12
    if (i < 6) then
      a(i) = 1.0d0
    else
      a(i) = 2.0d0
    end if
  end do
  call show_r8(1, a, 12)
end subroutine
