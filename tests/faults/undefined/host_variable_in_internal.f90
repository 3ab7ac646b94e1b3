! told at 14:15, where i = 2: Variable 'x' is used before it has a value: element (2)
! flags: -fcheck=undefined
program fault
  real :: x(3), y
  x(1) = 1
  y = 0
  call add(2)
  print *, y
contains
  subroutine add(n)
    integer, intent(in) :: n
    integer :: i
    do i = 1, n
      y = y + x(i)
    end do
  end subroutine
end program
