! told at 5:27, where i = -1: The argument 'ncopies' of 'repeat' is -1, but must be at least 0
program fault
  integer :: i
  do i = 2, -1, -1
    print *, repeat('ab', i)
  end do
end program
