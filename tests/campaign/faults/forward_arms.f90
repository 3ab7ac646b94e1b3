! --passes=fold at h
subroutine k1()
  implicit none
  integer :: n1, i1
  common /opaque/ n1
  i1 = 1
  if (n1 > 3) then
    i1 = 2
  end if
  i1 = i1 + 1
  call put_i4(1, i1)
end subroutine
