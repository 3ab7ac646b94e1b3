! --passes= at l, discharged
subroutine k15()
  implicit none
  integer :: n1, n2, n3, n4, n5, n6, n7
  common /opaque/ n1, n2, n3, n4, n5, n6, n7
  if (n7 == 1) then
  end if
end subroutine
