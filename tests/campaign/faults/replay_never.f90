! --passes=dce,distribute at l, discharged
subroutine k1()
  implicit none
  integer :: i, j, k, ix(8)
  double precision :: a(8, 8), u
  a = 2.0d0
  ix = 3
  do i = 1, 2
    do j = 6, 2, -3
      a(j, j) = 1.0d0
      do k = 1, 6
        a(1, 1) = a(1, k)
      end do
    end do
    u = a(i + 4, ix(i + 6) * i) * 0.5d0
    if (u < 1.0d0) then
    end if
  end do
  call show_r8(1, a, 64)
end subroutine
