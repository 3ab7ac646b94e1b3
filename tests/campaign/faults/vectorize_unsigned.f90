! --passes=letters,vectorize at h
subroutine k1()
  implicit none
  integer :: i
  integer :: n(64)
  character(64) :: s
  s = repeat('a' // char(200) // 'z.', 16)
  do i = 1, 64
    if (ichar(s(i:i)) > 150) s(i:i) = 'x'
  end do
  do i = 1, 64
    n(i) = ichar(s(i:i))
  end do
  call show_i4(1, n, 64)
end subroutine
