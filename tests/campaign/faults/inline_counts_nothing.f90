! --passes=inline at m, discharged
subroutine k25()
  implicit none
end subroutine
