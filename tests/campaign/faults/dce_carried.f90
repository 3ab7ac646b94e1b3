! --passes=dce at l, discharged
subroutine k13()
  implicit none
  integer :: i
  real :: a0(15)
  call fill_r4(a0, 15, 11)
  forall (i = 2:6)
    a0(i) = a0(i) * a0(1)
  end forall
  call show_r4(8, a0, 15)
end subroutine
