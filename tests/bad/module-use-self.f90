! A module that uses itself, and one that uses a later one.
module self
  use self
  implicit none
end module self
module early
  use late
  implicit none
end module early
module late
  implicit none
  integer :: n
end module late
program module_use_self
  use late
  implicit none
  n = 1
end program
