! --passes=dce,fuse at l, discharged
subroutine k1()
  implicit none
  integer :: a(8), b(8), i
  a = 1
  do i = 1, 8
    a(i) = i
  end do
  do i = 1, a(2)
  end do
  do i = 1, 8
    b(i) = a(i)
  end do
  call show_i4(1, a, 8)
  call show_i4(1, b, 8)
end subroutine
