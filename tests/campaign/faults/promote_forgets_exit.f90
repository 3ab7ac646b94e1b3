! --passes= at m, discharged
subroutine k1()
  implicit none
  integer :: i, j
  integer :: a(40)
  call fill_i4(a, 40, 3)
  j = 0
  do i = 1, 40
    if (a(i) > a(7)) then
      j = j + 1
    end if
    if (a(i) == a(30)) exit
  end do
  a(1) = i + j
end subroutine
