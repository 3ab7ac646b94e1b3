! -O0 at h
subroutine k1()
  implicit none
  integer :: a0(8)
  call fill_i4(a0, 8, 3)
  a0(2:8) = a0(1:7)
  call show_i4(1, a0, 8)
end subroutine
