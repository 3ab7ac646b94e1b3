! Statements of later standards are named with their standard.
program unsupported_feature
  implicit none
  integer :: i
  critical
  end critical
  sync all
  i = 1
end program
