! Conditions and bounds of the wrong type or rank.
program type_conditions
  implicit none
  integer :: i, a(3)
  logical :: m(3), l
  character(len=2) :: s
  if (i) print *, 1
  if (s) then
  end if
  if (m) print *, 2
  do while (i)
  end do
  do i = 1, 'a'
  end do
  do l = 1, 3
  end do
  do a(1) = 1, 3
  end do
  where (a) a = 1
  if (l) 10, 10, 10
10 continue
end program
