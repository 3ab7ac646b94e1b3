! --passes=vectorize at h
subroutine k1()
  implicit none
  integer :: b(40)
  integer, external :: f1
  b = 2
  b(3) = f1(b)
  call show_i4(1, b, 40)
end subroutine
integer function f1(b)
  implicit none
  integer :: b(40), i
  f1 = 1
  do i = 1, 36
    if (b(i) > 3) then
      f1 = b(i)
      f1 = f1 + 4
    end if
  end do
end function
