! --passes=dce,distribute at l, discharged
subroutine k1()
  implicit none
  integer :: i, l, m
  double precision :: a(11)
  a = 2.0d0
  i = 97
  do l = 1, 3
    do m = 7, 1, -1
      a(m) = l
    end do
    if ((a(1) < 2.0d0) .neqv. (achar(i) <= 'b')) then
    end if
  end do
  call show_r8(1, a, 11)
end subroutine
