! A byte that is not UTF-8, outside of comments and strings.
program bytes_utf8
  implicit none
  integer :: i
  i = ÿ1
end program
