! --passes=dce,interchange at l, discharged
subroutine k4015930()
  implicit none
  integer :: ix(8), k, l, m
  double precision :: a0(-3:4, 5, 5), a2(-3:11)
  common /c4015930/ a0, a2
  l = 6
  do k = 2, 8
    do l = 1, 1
      do m = 1, 1
        a2(1) = ix(m)
      end do
    end do
  end do
  if (l >= 1) then
  end if
end subroutine
