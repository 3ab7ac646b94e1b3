! USE of what does not exist, renaming of nothing, cycles of modules.
module a
  implicit none
  integer :: n = 1
  integer, private :: secret = 2
end module a
program module_use_bad
  use nosuchmodule
  use a, only: n, missing
  use a, only: secret
  use a, other => nothing
  implicit none
end program
