! Procedure pointers that point to something from the start: in a module, a main program and procedures.
module handlers
  implicit none
  abstract interface
    integer function step(i, a)
      integer, intent(in) :: i
      integer, intent(in), optional :: a(:)
    end function
  end interface
  procedure(step), pointer :: current => up
  procedure(step), pointer, private :: hidden => down
  procedure(real), pointer :: root => sqrt
contains
  integer function up(i, a)
    integer, intent(in) :: i
    integer, intent(in), optional :: a(:)
    up = i + 1
    if (present(a)) up = up + sum(a)
  end function
  integer function down(i, a)
    integer, intent(in) :: i
    integer, intent(in), optional :: a(:)
    down = i - 1
    if (present(a)) down = down - size(a)
  end function
  subroutine turn
    procedure(step), pointer :: kept => up
    procedure(step), pointer :: swap
    print *, current(10), hidden(10), kept(100, [1, 2, 3])
    swap => current
    current => hidden
    hidden => swap
    kept => down
  end subroutine
end module
subroutine note(text)
  character(*), intent(in) :: text
  print *, 'note: ', text
end subroutine
program main
  use handlers
  implicit none
  interface
    subroutine note(text)
      character(*), intent(in) :: text
    end subroutine
  end interface
  procedure(note), pointer :: tell => note
  procedure(step), pointer :: none => null()
  integer :: i
  do i = 1, 3
    call turn
  end do
  call tell('done')
  print *, associated(none), associated(current, down), current(5, [7, 8]), root(2.25)
  tell => other
  call tell('else')
contains
  subroutine other(text)
    character(*), intent(in) :: text
    print *, 'other: ', text
  end subroutine
end program
