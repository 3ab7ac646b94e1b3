! told at 4:16: Allocatable variable 's' is not allocated
program fault
  character(:), allocatable :: s
  print *, len(s)
end program
