! --passes=unroll,strength at l
subroutine k1()
  implicit none
  integer :: ix(8)
  call fill_i4(ix, 8, 4)
  call show_i4(14, ix, 8)
end subroutine
