! --passes= at m, discharged
subroutine k1()
  implicit none
  integer :: i, j
  integer :: a(40)
  call fill_i4(a, 40, 3)
  do i = 1, 40, 2
    if (a(i) == a(7)) exit
  end do
  j = 40
  do while (j > 1)
    j = j - 1
    if (a(j) == a(30)) exit
  end do
  a(1) = i + j
end subroutine
