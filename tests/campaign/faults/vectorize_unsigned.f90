! --passes=letters,vectorize at h
subroutine k1()
  implicit none
  integer :: i, n
  character(64) :: s
  s = repeat('a-z.', 16)
  do i = 1, 64
    if (ichar(s(i:i)) + 110 > 160) s(i:i) = 'x'
  end do
  n = 0
  do i = 1, 64
    n = n + ichar(s(i:i))
  end do
  call show_i4(1, [n], 1)
end subroutine
