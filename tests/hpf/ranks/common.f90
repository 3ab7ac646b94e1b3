! A COMMON block and a module, seen by procedures that map them, and by one that does not.
module store
  integer, parameter :: n = 9
  real :: field(n)
!HPF$ DISTRIBUTE field(BLOCK)
  integer, allocatable :: table(:)
!HPF$ DISTRIBUTE table(CYCLIC)
contains
  subroutine fill(k)
    integer, intent(in) :: k
    integer :: i
    do i = 1, n
      field(i) = k * i
    end do
    if (allocated(table)) deallocate (table)
    allocate (table(2 * k))
    do i = 1, 2 * k
      table(i) = i * k
    end do
  end subroutine
end module

program commons
  use store
  real :: x(9), y(9)
  common /block/ x, y
!HPF$ DISTRIBUTE (CYCLIC) :: x, y
  integer :: i
  do i = 1, 9
    x(i) = i
    y(i) = 10 - i
  end do
  call fill(3)
  call step
  call fill(5)
  call plain
  do i = 2, 9
    y(i) = y(i - 1) + field(i) + table(i)
  end do
  print '(9f8.1)', x, y, field
  print *, table
end program

subroutine step
  use store
  real :: x(9), y(9)
  common /block/ x, y
!HPF$ DISTRIBUTE (CYCLIC) :: x, y
  integer :: i
  do i = 1, 9
    x(i) = x(i) + y(10 - i) * field(i)
    table(mod(i, 6) + 1) = int(x(i))
  end do
end subroutine

subroutine plain
  real :: x(9), y(9)
  common /block/ x, y
!HPF$ DISTRIBUTE (CYCLIC) :: x, y
  call sums(x, 9)
  y(9) = x(9)
end subroutine

subroutine sums(v, n)
  integer :: n
  real :: v(n)
  do i = 2, n
    v(i) = v(i) + v(i - 1)
  end do
end subroutine
