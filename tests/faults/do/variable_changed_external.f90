! told at 4:3, where k = 0: Loop variable has been modified
program fault
  integer :: k
  do k = 1, 4
    call reset(k)
  end do
end program
subroutine reset(n)
  integer :: n
  n = 0
end subroutine
