! Whole arrays where a scalar is needed.
program scalar_needed
  implicit none
  integer :: a(3), i
  do i = a, 3
  end do
  if (a == 1) then
  end if
  i = a(a)
  select case (a)
  end select
end program
