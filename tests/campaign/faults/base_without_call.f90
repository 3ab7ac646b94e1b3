! --passes=inline at h
subroutine k1()
  implicit none
  integer :: i, s
  integer, external :: f1
  s = 0
  do i = 1, 12
    s = s + f1(i)
  end do
  call put_i4(1, s)
end subroutine
recursive integer function f1(n) result(f)
  implicit none
  integer, intent(in) :: n
  if (n < 2) then
    f = n
  else
    f = f1(n - 1) + 2
  end if
end function
