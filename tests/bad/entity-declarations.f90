! Declarations that are wrong, each with a code of its own.
program p
  implicit none
  character(:) :: deferred
  type large
    integer :: all(2147483647, 2147483647)
  end type
  integer :: i*(*)
  print *, i
end program
