! -O1 at l
subroutine k1()
  implicit none
  double precision :: a0(6), a1(6), a2(6)
  call fill_r8(a0, 6, 3)
  call fill_r8(a1, 6, 4)
  call fill_r8(a2, 6, 5)
  where (a2 /= 0.5d0)
    a1 = a2
    a0 = a1(6:1:-1)
  end where
  call show_r8(1, a0, 6)
  call show_r8(2, a1, 6)
end subroutine
