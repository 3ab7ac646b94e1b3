! --passes=dce,vectorize at l, discharged
subroutine k1()
  implicit none
  integer :: a(10), u, i, n
  a = 3
  a(5) = 2
  n = 9
  do i = 1, n
    u = a(5)
    if (u == 2) then
    end if
    a(i) = 4
  end do
  call show_i4(1, a, 10)
end subroutine
