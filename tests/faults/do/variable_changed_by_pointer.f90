! told at 6:3, where i = 11: Loop variable has been modified
program fault
  integer, target :: i
  integer, pointer :: p
  p => i
  do i = 1, 3
    p = i + 10
  end do
end program
