! DATA in modules and in internal procedures; large repeated arrays.
module tables
  implicit none
  integer :: squares(4), zeros(1000)
  double precision :: weights(2, 2)
  data squares / 1, 4, 9, 16 /, zeros / 1000 * 0 /
  data weights(1, :) / 0.5d0, 0.25d0 /, weights(2, 1), weights(2, 2) / 2 * -1.0d0 /
end module tables
program data_module
  use tables
  implicit none
  integer :: i
  do i = 1, 3
    call count
  end do
  print *, squares, sum(zeros), weights
contains
  subroutine count
    integer :: seen(3), next
    data seen / 3 * 0 /, next / 1 /
    seen(next) = squares(next)
    next = next + 1
    zeros(next) = next
    print *, seen
  end subroutine count
end program
