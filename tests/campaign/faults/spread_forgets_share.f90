! --passes=inline at m, discharged
subroutine k1()
  implicit none
  integer :: i, s
  integer :: a(40)
  integer, external :: f1
  call fill_i4(a, 40, 3)
  s = 0
  do i = 1, 39
    s = s + f1(a(i), a(7)) + f1(a(i + 1), a(9))
    call put_i4(2, s)
  end do
  call put_i4(1, s)
end subroutine
integer function f1(n, m) result(f)
  implicit none
  integer, intent(in) :: n, m
  f = m
  if (n < m) then
    f = n + 1
  end if
end function
