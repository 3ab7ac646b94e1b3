! --passes=fold at l, discharged
subroutine k4()
  implicit none
end subroutine
double precision function p4_0(d0, d1)
  implicit none
  double precision :: d0, d1
  if (.true.) p4_0 = d0 * 1.0d0
end function
