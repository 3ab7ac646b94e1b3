! --passes=dce at l, discharged
subroutine k61()
  implicit none
  if ('b' /= 'b') then
  end if
end subroutine
