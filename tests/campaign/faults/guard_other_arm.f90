! --passes=dce at l, discharged
subroutine k1()
  implicit none
  integer :: i, m, n
  m = 2
  n = 4
  if (m == 0) then
  else
    i = n/m
    if (i == 2) then
    end if
  end if
end subroutine
