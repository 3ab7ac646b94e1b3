! -O3 at l, discharged
subroutine k1()
  implicit none
  integer :: i, n, a0(3)
  call fill_i4(a0, 3, 3)
  n = 4
  do i = 1, 900
    if (i > n) then
    end if
  end do
  call show_i4(1, a0, 3)
end subroutine
