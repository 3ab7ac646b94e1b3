! Saved locals of module procedures are one for all callers.
module tickets
  implicit none
contains
  integer function draw()
    integer, save :: next = 100
    draw = next
    next = next + 1
  end function draw
  subroutine drop(times)
    integer, intent(in) :: times
    integer :: i, unused
    do i = 1, times
      unused = draw()
    end do
  end subroutine drop
end module tickets
program module_save_counter
  use tickets
  implicit none
  integer :: a, b
  a = draw()
  call drop(3)
  b = draw()
  print *, a, b
end program
