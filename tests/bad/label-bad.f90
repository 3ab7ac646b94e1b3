! Labels that are none.
program label_bad
  implicit none
  integer :: i
0 i = 1
123456 i = 2
  go to 0
  go to 1234567
end program
