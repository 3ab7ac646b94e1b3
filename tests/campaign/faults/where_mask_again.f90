! -O0 at h
subroutine k1()
  implicit none
  double precision :: a0(6), a1(6)
  call fill_r8(a0, 6, 3)
  call fill_r8(a1, 6, 4)
  where (a0(6:1:-1) > 0.0d0)
    a0(1:6) = a0(1:6) - 50.0d0
    a1(1:6) = 2.0d0
  end where
  call show_r8(1, a0, 6)
  call show_r8(2, a1, 6)
end subroutine
