! INTENT of what is no dummy argument, twice, unknown.
program intent_bad
  implicit none
contains
  subroutine s(a, b, c)
    integer :: a, b, c, d
    intent (in) a
    intent (out) a
    intent (in) d
    intent (through) b
    integer, intent(in) :: e
  end subroutine s
end program
