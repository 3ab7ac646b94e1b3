! Module variables shared by procedures and the program, with initial values.
module store
  implicit none
  integer, parameter :: size_limit = 5
  integer :: filled = 0
  double precision :: items(size_limit) = 0.0d0
  logical, save :: full = .false.
contains
  subroutine push(x)
    double precision, intent(in) :: x
    if (full) then
      print *, 'full, cannot take', x
      return
    end if
    filled = filled + 1
    items(filled) = x
    full = filled == size_limit
  end subroutine push
end module store
program module_variables
  use store
  implicit none
  integer :: i
  do i = 1, 7
    call push(dble(i) / 2)
  end do
  print *, filled, full, items
  filled = 1
  full = .false.
  call push(-1.0d0)
  print *, filled, items
end program
