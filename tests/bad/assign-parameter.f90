! Stores into constants by every kind of statement.
program assign_parameter
  implicit none
  integer, parameter :: n = 3, v(2) = (/ 1, 2 /)
  n = 4
  v(1) = 2
  read (*, *) n
  do n = 1, 3
  end do
  call change(n)
  data n / 5 /
contains
  subroutine change(k)
    integer, intent(out) :: k
    k = 1
  end subroutine change
end program
