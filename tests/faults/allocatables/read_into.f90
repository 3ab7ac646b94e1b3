! told at 7:18: Allocatable variable 'a' is not allocated
program fault
  integer, allocatable :: a(:)
  character(len=4) :: text = '1 2'
  integer :: k
  k = 1
  read (text, *) a(k)
end program
