! told at 4:17: Allocatable variable 's' is not allocated
program fault
  character(len=:), allocatable :: s
  print *, trim(s)
end program
