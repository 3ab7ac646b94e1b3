! Procedures whose invocations follow from their calls: by name, through a dummy procedure, through a procedure pointer, from
! procedures that call one another, and from loops.
module counted
  implicit none
  integer :: total = 0
  abstract interface
    subroutine step(i)
      integer, intent(in) :: i
    end subroutine
  end interface
contains
  recursive subroutine leaf(i)
    integer, intent(in) :: i
    total = total + i
    if (i > 1000000) call leaf(i - 1)
  end subroutine
  recursive subroutine twice(f, i)
    procedure(step) :: f
    integer, intent(in) :: i
    call f(i)
    call f(i + 1)
    if (i > 1000000) call twice(f, i - 1)
  end subroutine
  recursive subroutine both(i)
    integer, intent(in) :: i
    call leaf(i)
    call leaf(-i)
    call twice(leaf, i)
    if (mod(i, 4) == 0) call both(i + 1)
  end subroutine
  recursive integer function even(n) result(r)
    integer, intent(in) :: n
    r = 1
    if (n > 0) r = odd(n - 1)
  end function
  recursive integer function odd(n) result(r)
    integer, intent(in) :: n
    r = 0
    if (n > 0) r = even(n - 1)
  end function
end module
program callers
  use counted
  implicit none
  integer :: i
  procedure(step), pointer :: p
  do i = 1, 9
    call both(i)
  end do
  do i = 1, 7
    if (mod(i, 2) == 0) call leaf(i)
    total = total + even(i) - odd(2 * i)
  end do
  p => inner
  call twice(inner, 3)
  call p(5)
  if (total > 0) call inner(total)
  print *, total
contains
  recursive subroutine inner(i)
    integer, intent(in) :: i
    total = total + 2 * i
    if (i > 1000000) call inner(i - 1)
    call leaf(1)
  end subroutine
end program
! aliases: a variable of the host is passed to a procedure that changes it.
