! game of life, logical arrays, cshift
program life
  implicit none
  integer, parameter :: n = 8
  logical :: cell(n, n)
  integer :: count_n(n, n), g, i
  cell = .false.
  cell(2, 3) = .true.; cell(3, 4) = .true.; cell(4, 2:4) = .true.
  do g = 1, 4
    count_n = neighbours(merge(1, 0, cell))
    cell = (cell .and. (count_n == 2 .or. count_n == 3)) .or. (.not. cell .and. count_n == 3)
  end do
  do i = 1, n
    print '(8a1)', merge('#', '.', cell(i, :))
  end do
  print *, count(cell), any(cell(:, 1)), all(cell(1, :) .eqv. .false.)
contains
  function neighbours(a) result(s)
    integer, intent(in) :: a(:, :)
    integer :: s(size(a, 1), size(a, 2))
    integer :: dx, dy
    s = 0
    do dx = -1, 1
      do dy = -1, 1
        if (dx == 0 .and. dy == 0) cycle
        s = s + cshift(cshift(a, dx, 1), dy, 2)
      end do
    end do
  end function
end program
