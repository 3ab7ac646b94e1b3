! --passes=unroll at h
subroutine k13()
  implicit none
  integer :: ix(8)
  call fill_i4(ix, 8, 11)
  call show_i4(12, ix, 8)
end subroutine
