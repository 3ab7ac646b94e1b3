! -O0 at h
subroutine k1()
  implicit none
  integer :: i
  double precision :: a0(6), a1(6)
  call fill_r8(a0, 6, 3)
  call fill_r8(a1, 6, 3)
  forall (i = 1:6, a0(i) > 0.0d0)
    a0(i) = a0(i) - 1.0d0
    a1(i) = 2.0d0
  end forall
  call show_r8(1, a0, 6)
  call show_r8(2, a1, 6)
end subroutine
