! --passes=peel at l, discharged
subroutine k56()
  implicit none
  integer :: l
  do l = 0, 5
    if (l == 5) then
    end if
  end do
end subroutine
