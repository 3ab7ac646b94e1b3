! --passes=dce,interchange at l, discharged
subroutine k1()
  implicit none
  integer :: i, j, m
  double precision :: a(9, 9)
  m = 1
  do i = 1, 5
    do j = 1, 6
      if (i > 2) then
        a(i, j) = 1.0d0
        m = m + 1
      else
        a(i, j) = 2.0d0
        m = m*2 + j
      end if
      if (mod(m, 3) == 1) then
      end if
    end do
  end do
  call show_r8(1, a, 1)
end subroutine
