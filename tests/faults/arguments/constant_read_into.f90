! told at 8:15: Dummy argument 'k' is associated with a constant or expression
program fault
  call input('12', 7)
end program
subroutine input(s, k)
  character(*) :: s
  integer :: k
  read (s, *) k
end subroutine
