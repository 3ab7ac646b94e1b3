! told at 9:13: Variable 'found' is used before it has a value
! flags: -fcheck=undefined
program fault
  logical :: found
  integer :: i, a(3) = [1, 2, 3]
  do i = 1, 3
    if (a(i) > 5) found = .true.
  end do
  if (.not. found) print *, 'nothing'
end program
