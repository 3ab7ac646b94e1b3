! A constructor without elements, alone on the right side.
program empty
  implicit none
  integer :: i(3) = [1, 2, 3]
  integer, allocatable :: none(:)
  i(3:2) = [integer ::]
  print *, i
  none = [integer ::]
  print *, size(none), len([character(5) ::]), kind([integer(8) ::])
  where (i(3:2) > 0) i(3:2) = [integer ::]
  print *, i
end program
