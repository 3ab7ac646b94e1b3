! --passes=scalar_replace at l, discharged
subroutine k51()
  implicit none
  integer :: i
  double precision :: a0(12), a1(12), x1
  equivalence (a1(3), a0(1))
  do i = 0, 4
    a1(i + 3) = 1.0d0
    x1 = a0(i + 1) - a0(i + 2)
  end do
  call put_r8(14, x1)
end subroutine
