! stack and queue in module variables, saved state, optional args, block data-like init
module stack_mod
  implicit none
  private
  integer, parameter :: cap = 10
  integer :: data(cap), top = 0
  public :: push, pop, depth, is_full
  interface push
    module procedure push_one, push_many
  end interface
contains
  subroutine push_one(x, ok)
    integer, intent(in) :: x
    logical, intent(out), optional :: ok
    if (top == cap) then
      if (present(ok)) ok = .false.
      return
    end if
    top = top + 1
    data(top) = x
    if (present(ok)) ok = .true.
  end subroutine
  subroutine push_many(x)
    integer, intent(in) :: x(:)
    integer :: i
    do i = 1, size(x)
      call push_one(x(i))
    end do
  end subroutine
  integer function pop(default)
    integer, intent(in), optional :: default
    if (top == 0) then
      pop = -1
      if (present(default)) pop = default
    else
      pop = data(top)
      top = top - 1
    end if
  end function
  pure integer function depth()
    depth = top
  end function
  logical function is_full()
    is_full = top >= cap
  end function
end module
program p
  use stack_mod
  implicit none
  logical :: ok
  integer :: i, s
  call push(1)
  call push([2, 3, 4])
  call push(5, ok=ok)
  print *, depth(), ok, is_full()
  s = 0
  do while (depth() > 0)
    s = 10*s + pop()
  end do
  print *, s, pop(), pop(default=7)
  do i = 1, 11
    call push(i, ok)
    if (.not. ok) print *, 'full at', i
  end do
  print *, sum([(pop(), i=1,depth())])
end program
