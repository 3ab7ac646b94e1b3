! Variables of the host that only the length in an ALLOCATE or in an array constructor mentions.
program p
  character(:), pointer :: c
  integer :: n, m
  n = 4; m = 3
  call inner()
  print *, len(c), c
  call second()
  print *, len(c), c
contains
  subroutine inner()
    allocate(character(n) :: c)
    c = 'abcdefgh'
  end subroutine
  subroutine second()
    character(:), allocatable :: d(:)
    allocate(character(m + 2) :: d(3))
    d = [character(m) :: 'abcdef', 'xy', c]
    print *, len(d), d
    allocate(character(len(d)) :: c)
    c = d(1)
  end subroutine
end program
