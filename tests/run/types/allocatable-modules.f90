! Allocatables shared by a module, by host association and through several levels of calls.
module pool
  implicit none
  real, allocatable :: grid(:, :)
  type item
    integer, allocatable :: list(:)
  end type
  type(item), allocatable :: items(:)
contains
  subroutine make(n, m)
    integer, intent(in) :: n, m
    if (allocated(grid)) deallocate (grid)
    allocate (grid(n, 0:m))
    grid = 0
  end subroutine
  subroutine relax(k)
    integer, intent(in) :: k
    integer :: i, j, s
    do s = 1, k
      do j = 1, ubound(grid, 2) - 1
        do i = 2, size(grid, 1) - 1
          grid(i, j) = 0.25 * (grid(i - 1, j) + grid(i + 1, j) + grid(i, j - 1) + grid(i, j + 1))
        end do
      end do
    end do
  end subroutine
  subroutine add(k)
    integer, intent(in) :: k
    integer :: i
    if (.not. allocated(items)) allocate (items(3))
    do i = 1, 3
      if (.not. allocated(items(i)%list)) then
        items(i)%list = [k]
      else
        items(i)%list = [items(i)%list, k * i]
      end if
    end do
  end subroutine
end module
program modules
  use pool
  implicit none
  integer, allocatable :: w(:)
  integer :: i, total
  call make(4, 5)
  grid(1, :) = 1
  grid(:, 0) = 2
  call relax(3)
  print '(6f8.4)', grid
  call make(2, 2)
  print *, shape(grid), lbound(grid)
  do i = 1, 4
    call add(i)
  end do
  total = 0
  do i = 1, 3
    total = total + sum(items(i)%list)
    print *, size(items(i)%list), items(i)%list
  end do
  print *, total
  items(2)%list(2:3) = items(3)%list(3:4)
  print *, items(2)%list
  call fill(5)
  print *, size(w), w
  call fill(2)
  print *, size(w), w
  deallocate (items)
  print *, allocated(items)
contains
  subroutine fill(n)
    integer, intent(in) :: n
    integer :: k
    if (allocated(w)) deallocate (w)
    allocate (w(n))
    do k = 1, n
      call put(k, k * k)
    end do
  end subroutine
  subroutine put(k, v)
    integer, intent(in) :: k, v
    w(k) = v
  end subroutine
end program
