! told at 5:3, where i = 5: Loop variable has been modified
program fault
  integer :: i
  common /loop/ i
  do i = 1, 5
    call step
  end do
  print *, i
end program
subroutine step
  integer :: j
  common /loop/ j
  if (j == 3) j = 5
end subroutine
