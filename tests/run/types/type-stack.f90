! A stack in an allocatable component of a private type.
module stack_mod
  implicit none
  private
  public :: stack, push, pop, is_empty, size_of
  type stack
    private
    integer :: n = 0
    integer, allocatable :: items(:)
  end type
contains
  subroutine push(s, v)
    type(stack), intent(inout) :: s
    integer, intent(in) :: v
    integer, allocatable :: tmp(:)
    if (.not. allocated(s%items)) allocate (s%items(2))
    if (s%n == size(s%items)) then
      allocate (tmp(2 * s%n))
      tmp(1:s%n) = s%items
      call move_alloc(tmp, s%items)
    end if
    s%n = s%n + 1
    s%items(s%n) = v
  end subroutine
  function pop(s) result(v)
    type(stack), intent(inout) :: s
    integer :: v
    v = s%items(s%n)
    s%n = s%n - 1
  end function
  pure logical function is_empty(s)
    type(stack), intent(in) :: s
    is_empty = s%n == 0
  end function
  pure integer function size_of(s)
    type(stack), intent(in) :: s
    size_of = s%n
  end function
end module
program p
  use stack_mod
  implicit none
  type(stack) :: s, t
  integer :: i
  do i = 1, 20
    call push(s, i * i)
  end do
  t = s
  do while (.not. is_empty(s))
    write (*, '(i5)', advance='no') pop(s)
  end do
  print *
  print *, size_of(s), size_of(t), pop(t)
end program
