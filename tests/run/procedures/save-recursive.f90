! What a recursive procedure saves is changed by its calls of itself: scalars, structures, equivalenced variables.
module levels
  implicit none
  type level
    integer :: depth = 42
  end type
  integer :: seen(3, 4), left(3, 4)
contains
  recursive subroutine go(i)
    integer, intent(in) :: i
    integer, save :: n
    type(level) :: here = level(99)
    integer, save :: a, b
    equivalence (a, b)
    n = i
    here%depth = i
    a = i
    if (i <= 4) then
      seen(:, i) = [n, here%depth, b]
      call go(i + 1)
      left(1, i) = n
      left(2, i) = here%depth
      left(3, i) = b
    end if
  end subroutine
end module

program saved
  use levels
  implicit none
  call go(1)
  print '(4i3)', transpose(seen)
  print '(4i3)', transpose(left)
end program
