! --passes= at l, discharged
subroutine k1()
  implicit none
end subroutine
