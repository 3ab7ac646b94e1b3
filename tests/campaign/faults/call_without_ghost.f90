! --passes=dce at l, discharged
subroutine k61()
  implicit none
  if ('bc' /= 'bd') then
  end if
end subroutine
