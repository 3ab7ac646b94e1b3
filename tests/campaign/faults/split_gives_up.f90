! --passes=dce,distribute at l, discharged
subroutine k1()
  implicit none
  integer :: a(8, 8), u, i, j
  double precision :: b(8, 8)
  do i = 1, 2
    do j = 1, 4
      u = a(1, 1)
      if (u <= 1) then
      end if
      b(1, j) = 1.0d0
    end do
    a(1, 1) = a(1, 1) + i
  end do
  call show_i4(1, a, 64)
  call show_r8(1, b, 64)
end subroutine
