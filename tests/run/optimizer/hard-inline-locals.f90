! A procedure with saved and with plain locals, called in two places.
program hard_inline_locals
  implicit none
  integer :: i, a, b
  a = 0
  b = 0
  do i = 1, 4
    call step(a, 1)
    call step(b, 10)
  end do
  print *, a, b
contains
  subroutine step(x, by)
    integer, intent(inout) :: x
    integer, intent(in) :: by
    integer, save :: times = 0
    integer :: local(2)
    local(1) = x
    local(2) = by
    times = times + 1
    x = sum(local) + times
  end subroutine step
end program
