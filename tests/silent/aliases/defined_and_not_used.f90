module m
  integer :: state = 1
contains
  subroutine set(n, twice)
    integer, intent(out) :: n
    logical, intent(in) :: twice
    n = 5
    if (twice) state = state * 2
  end subroutine
end module
program right
  use m
  call set(state, .false.)
  print *, state
end program
