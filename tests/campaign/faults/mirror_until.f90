! --passes=dce,vectorize at l, discharged
subroutine k1()
  implicit none
  integer :: a(-3:5000), b(-3:5000), u, i, j, k
  equivalence (b(0), a(1))
  a = 3
  a(9) = 2
  i = 8
  do j = 0, i
    do k = j, 1, -1
      u = b(1) - a(k)
      if (u == 1) then
      end if
      a(k) = a(i + 1)
    end do
  end do
  call show_i4(1, a, 14)
end subroutine
