! --passes=dce,letters at h
subroutine k1()
  implicit none
  integer :: u1
  integer :: n(8)
  common /opaque/ n
  u1 = scan('dab', achar(min(101, n(1))))
  if (u1 < 4) then
  end if
end subroutine
