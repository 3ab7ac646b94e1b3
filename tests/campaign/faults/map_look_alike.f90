! --passes=dce at m
subroutine k1()
  implicit none
  if (.true. .and. ('b' == achar(min(101, 1)))) then
  end if
end subroutine
