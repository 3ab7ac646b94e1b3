! --passes=dce,distribute at l, discharged
subroutine k1()
  implicit none
  integer :: j, l, n
  double precision :: a(16), b(8, 8), u
  a = 0.0d0
  b = 0.0d0
  n = 1
  do j = 8, n, -1
    a(j) = j
    do l = 1, 4
      u = a(3)
      if (u > 0.5d0) then
      end if
      b(1, l) = 1.0d0
    end do
  end do
  call show_r8(1, a, 16)
  call show_r8(1, b, 64)
end subroutine
