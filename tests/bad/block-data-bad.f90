! BLOCK DATA that initializes what is in no COMMON block.
block data first
  implicit none
  integer :: i, j
  common /c/ i
  data i / 1 /, j / 2 /
end block data
program block_data_bad
  implicit none
end program
