! Two modules give the same name, and it is used; a local name clashes.
module a
  implicit none
  integer :: n, m, k
end module a
module b
  implicit none
  integer :: n, m
end module b
program module_clash
  use a
  use b
  implicit none
  integer :: k
  n = 1
end program
