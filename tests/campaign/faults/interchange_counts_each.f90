! --passes=dce,interchange at l, discharged
subroutine k1()
  implicit none
  integer :: i, j, n
  integer :: a0(6, 5)
  call fill_i4(a0, 30, 3)
  do i = 1, 6
    if (mod(i, 4) == 1) then
      n = i
    end if
    do j = 1, 5
      a0(i, j) = a0(i, j) + 1
    end do
  end do
  call show_i4(1, a0, 30)
end subroutine
