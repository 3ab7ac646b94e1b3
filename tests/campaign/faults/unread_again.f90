! --passes=dce,interchange at l, discharged
subroutine k1()
  implicit none
  integer :: i, j, m
  double precision :: a(9, 9)
  m = 0
  do i = 1, 5
    do j = 1, 6
      if (mod(m, 3) == 1) then
      end if
      a(i, j) = 1.0d0
      m = i + j
    end do
  end do
  call show_r8(1, a, 1)
end subroutine
