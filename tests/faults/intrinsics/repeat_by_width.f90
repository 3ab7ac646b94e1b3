! told at 5:33, where w = -1: The argument 'ncopies' of 'repeat' is -1, but must be at least 0
program fault
  integer :: w
  do w = 2, -1, -1
    print *, '[' // repeat('*', w) // ']'
  end do
end program
