! warnings: implicit-interface use-without-only
module shared
  integer :: n = 3
end module
program p
  use shared
  external :: show
  call show(n)
end program
subroutine show(n)
  integer :: n
  print *, n
end subroutine
