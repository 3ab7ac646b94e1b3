! --passes=unroll at h
subroutine k13()
  implicit none
  integer :: a3(-3:7, -3:9)
  call fill_i4(a3, 143, 9)
end subroutine
