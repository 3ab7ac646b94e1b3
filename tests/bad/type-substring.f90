! Substrings of what is no character, or with bounds of other types.
program type_substring
  implicit none
  integer :: i
  character(len=4) :: s
  s = i(1:2)
  s = s(1.5:2)
  s(1) = 'a'
  s(1:2, 3) = 'a'
end program
