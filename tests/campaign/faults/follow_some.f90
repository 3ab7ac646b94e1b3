! --passes= at l, discharged
subroutine k1()
  implicit none
  integer :: i, m(1)
  integer(8) :: k
  integer :: a(16)
  call fill_i4(a, 16, 3)
  k = 3
  do i = 1, 16
    if (a(i) > 2) then
      k = k + 1
    end if
    if (a(i) == 1) k = k + 1
  end do
  m(1) = int(k)
  call show_i4(1, m, 1)
end subroutine
