! --passes=dce,distribute at l, discharged
subroutine k1()
  implicit none
  integer :: a(8, 8), u, i, j, k, n1
  double precision :: b(8, 8), x
  common /opaque/ n1
  a = 2
  b = 0.0d0
  do i = 1, 2
    do j = 1, n1
      do k = 1, n1
        u = a(i, 1)
        if (u == 2) then
        end if
        b(1, j) = 1.0d0
      end do
      x = 1.0d0
    end do
    a(3 - i, 1) = a(3 - i, 1) + i
  end do
  call show_i4(1, a, 64)
  call show_r8(1, b, 64)
  call put_r8(1, x)
end subroutine
