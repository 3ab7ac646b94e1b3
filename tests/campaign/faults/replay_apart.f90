! --passes=dce,distribute at l, discharged
subroutine k1()
  implicit none
  integer :: a(-1:10), b(16), c(16), u, j, k, l
  equivalence (b(3), a(1))
  b = 7
  c = 1
  j = 97
  do k = 0, 3
    do l = 1, 1
      b(1) = a(l) - k
    end do
    u = iand(index('b', achar(j)) + 7, a(-1))
    if (u < 6) then
    end if
  end do
  call show_i4(1, b, 16)
end subroutine
