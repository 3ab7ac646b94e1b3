! Calls of external procedures whose text is in the same file.
program call_same_file
  implicit none
  integer :: i
  i = 1
  call area(i)
  call area(i, 2, 3)
end program
subroutine area(w, h)
  implicit none
  integer :: w, h
  print *, w * h
end subroutine
