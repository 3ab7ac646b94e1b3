! --passes=dce at l, discharged
subroutine k1()
  implicit none
  integer :: i, m
  m = 1
  do i = 1, 5
    m = m*3 + i
    if (mod(m, 4) == 1) then
    end if
  end do
end subroutine
